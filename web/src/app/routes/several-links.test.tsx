import { ACCOUNT_HEADER } from "@tapthru/proto/account-header";
import { act, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { HttpResponse } from "msw";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { serveAccounts } from "../../testing/accounts-server.ts";
import { answer, click, field, heading, isReloadHeld, pasteOnPage, textsOf } from "../../testing/controls.ts";
import { mainChannel } from "../../testing/examples.ts";
import { fakeIdentityProvider } from "../../testing/fake-identity-provider.ts";
import { advanceBy, advanceUntil, useFakeClock } from "../../testing/fake-timers.ts";
import { generatedLink } from "../../testing/generate-server.ts";
import { serveLinks, shortLink } from "../../testing/links-server.ts";
import { openAsUser } from "../../testing/open-as-user.ts";
import { renderApp } from "../../testing/render-app.tsx";
import { renderPages } from "../../testing/render-pages.tsx";
import { failure, heldReplies, serve, serveChannels } from "../../testing/serve.ts";
import { findToast } from "../../testing/toast.ts";

const links = Array.from({ length: 25 }, (_, i) => ({
  originalUrl: `https://www.amazon.de/dp/B0ZZ1Y2X${String(i).padStart(2, "0")}?tag=me-21`,
  shortCode: `code${String(i).padStart(3, "2")}`,
  shortUrl: `https://tapthru.example/l/code${String(i).padStart(3, "2")}`,
  title: `Lamp ${i}`,
}));
type Link = (typeof links)[number];
const [first, second, third] = links as [Link, Link, Link];
const addressesOf = (...some: Link[]) => some.map(({ originalUrl }) => originalUrl).join("\n");
const shortUrlsOf = (...some: Link[]) => some.map(({ shortUrl }) => shortUrl);

let user: ReturnType<typeof userEvent.setup>;
beforeEach(() => {
  user = userEvent.setup();
});

/** Creates the link of each request. @param refuse the response to some requests */
function serveGenerate(refuse: (url: string, attempt: number) => unknown = () => null) {
  const requests: { url: string; key: string | null; account: string | null }[] = [];
  serve<{ url: string }>("POST /api/generate", async ({ body: { url }, headers }) => {
    requests.push({ url, key: headers.get("Idempotency-Key"), account: headers.get(ACCOUNT_HEADER) });
    const attempt = requests.filter((each) => each.url === url).length;
    const link = generatedLink(links.find(({ originalUrl }) => originalUrl === url));
    return (await refuse(url, attempt)) ?? HttpResponse.json(link, { status: 201 });
  });
  return requests;
}
/** Refuses the first request for the second link. */
const secondOnce = (reply: () => Response) => (url: string, attempt: number) =>
  url === second.originalUrl && attempt === 1 ? reply() : null;

const panel = () => screen.queryByRole("region", { name: "New links" });
const results = () => within(panel() as HTMLElement);
const status = () => panel() && results().getByRole("status").textContent;
const finished = (text: string) => waitFor(() => expect(status()).toBe(text));
const shortUrls = () => textsOf(results().queryAllByRole("link")).filter((text) => text?.startsWith("https:"));

const LINK_FIELD = "Amazon product or store link";
const linkField = () => screen.getByRole("textbox", { name: LINK_FIELD });
async function pasteIntoField(text: string) {
  await user.click(linkField());
  await user.paste(text);
}

describe("several links pasted on Home", () => {
  test("creates all pasted links, one after another, with a result for each, which can be copied", async () => {
    const requests = serveGenerate();
    await renderApp();
    await pasteIntoField(addressesOf(first, second, third));
    await finished("3 links are ready");
    expect(requests.map(({ url }) => url).join("\n")).toBe(addressesOf(first, second, third));
    expect(new Set(requests.map(({ key }) => key)).size).toBe(3);
    expect(shortUrls()).toEqual(shortUrlsOf(first, second, third));
    await click("Copy link of Lamp 1");
    expect(await navigator.clipboard.readText()).toBe(second.shortUrl);
    await click("Copy all");
    expect(await navigator.clipboard.readText()).toBe(shortUrlsOf(first, second, third).join("\n"));
    expect(screen.getAllByText("Copied")).toHaveLength(2);
    vi.spyOn(navigator.clipboard, "writeText").mockRejectedValueOnce(new Error("refused"));
    await click("Copy link of Lamp 1");
    expect(await findToast("Failed to copy link")).toBe("ErrorFailed to copy link");
  });

  test("shows the error of each link that fails, which can be retried", async () => {
    const requests = serveGenerate(secondOnce(failure));
    await renderApp();
    pasteOnPage(addressesOf(first, second, third));
    await finished("2 links are ready, 1 failed");
    expect(screen.getByText(/Server error: Unavailable/)).toBeTruthy();
    await user.dblClick(screen.getByRole("button", { name: `Try again with ${second.originalUrl}` }));
    await finished("3 links are ready");
    expect(document.activeElement).toBe(results().getAllByRole("listitem")[1]);
    expect(shortUrls()).toEqual(shortUrlsOf(first, second, third));
    const [before, again, ...more] = requests.filter(({ url }) => url === second.originalUrl);
    expect([before?.key, more]).toEqual([again?.key, []]);
  });

  test("failed links stay when others are pasted, and are retried with the same key when they are pasted again", async () => {
    const requests = serveGenerate(secondOnce(failure));
    await renderApp();
    pasteOnPage(addressesOf(first, second));
    await finished("1 link is ready, 1 failed");
    pasteOnPage(addressesOf(first, third));
    await finished("2 links are ready, 1 failed");
    pasteOnPage(addressesOf(second, third));
    await finished("2 links are ready");
    const [before, again, ...more] = requests.filter(({ url }) => url === second.originalUrl);
    expect([before?.key, more]).toEqual([again?.key, []]);
  });

  test("creates up to 20 links at once for a guest, who can sign up for the others", async () => {
    const requests = serveGenerate();
    await renderApp();
    pasteOnPage(addressesOf(...links));
    await finished(
      "20 links are readyWithout an account you can create up to 20 links at once. 5 of them were left out.",
    );
    expect(requests).toHaveLength(20);
    await click("Sign up to create the other 5");
    expect(sessionStorage.getItem("found_links")).toBe(addressesOf(...links.slice(20)));
  });

  test("waits as long as the server says when there are too many requests", async () => {
    user = useFakeClock();
    const headers = { "Retry-After": "30" };
    const requests = serveGenerate(secondOnce(() => new HttpResponse("Too many.", { status: 429, headers })));
    await renderApp();
    pasteOnPage(addressesOf(first, second, third));
    await advanceUntil(() => status()?.includes("The rest will follow shortly.") ?? false);
    await advanceBy(29_000);
    expect(requests).toHaveLength(2);
    await advanceUntil(() => status() === "3 links are ready");
    expect(requests.map(({ url }) => url).join("\n")).toBe(addressesOf(first, second, second, third));
    expect(requests[1]?.key).toBe(requests[2]?.key);
  });

  test("pasted links join a running batch, each once", async () => {
    const { released, release } = heldReplies();
    const requests = serveGenerate(() => released.then(() => null));
    await renderApp();
    pasteOnPage(addressesOf(first, second));
    await finished("Creating your links: 0 of 2 done");
    pasteOnPage(addressesOf(second, third));
    pasteOnPage(first.originalUrl);
    await finished("Creating your links: 0 of 3 done");
    release();
    await finished("3 links are ready");
    expect(requests).toHaveLength(3);
  });

  test("all belong to an account that is created while they are created", async () => {
    const { released, release } = heldReplies();
    const accounts = serveAccounts();
    const owned = new Set<string | undefined>();
    let isSignedIn = false;
    const requests = serveGenerate(async (url) => {
      // The fourth request is sent before the login, and replied to after it. The cookie of the session identifies the user.
      if (isSignedIn) owned.add(links.find(({ originalUrl }) => originalUrl === url)?.shortCode);
      else if (requests.length === 4) await released;
      return null;
    });
    serve<{ shortCodes: string[] }>("POST /api/links/bulk/claim", ({ body: { shortCodes } }) => {
      for (const shortCode of shortCodes) owned.add(shortCode);
      return { results: shortCodes.map((shortCode) => ({ shortCode, error: null })) };
    });
    await renderApp("/", { identity: fakeIdentityProvider() });
    pasteOnPage(addressesOf(...links.slice(0, 20)));
    await finished("Creating your links: 3 of 20 done");
    await user.click(screen.getAllByRole("link", { name: "Sign up for free" })[0] as HTMLElement);
    await user.type(await screen.findByLabelText("Username"), "Clara");
    await user.type(field("Email"), "clara@example.com");
    await user.type(field("Password"), "secret1");
    await user.type(field("Confirm password"), "secret1{Enter}");
    await heading("Your Links");
    expect([...owned]).toHaveLength(3);
    isSignedIn = true;
    release();
    await finished("20 links are ready");
    const codes = links.slice(0, 20).map(({ shortCode }) => shortCode);
    await waitFor(() => expect([...owned].sort()).toEqual(codes.sort()));
    await waitFor(() => expect(localStorage.getItem("recent_links")).toBeNull());
    expect([sessionStorage.getItem("pendingLink"), accounts.users.size]).toEqual([null, 1]);
  });
});

describe("on the dashboard", () => {
  test.each([1, 2])("%i pasted links are created, and the list is refetched once", async (count) => {
    const { queries } = serveLinks([]);
    serveGenerate();
    await renderPages("/dashboard");
    await screen.findByText("You haven't created any links yet.");
    serveLinks([shortLink({ shortCode: first.shortCode, title: first.title })]);
    pasteOnPage(addressesOf(...links.slice(0, count)));
    await finished(count === 1 ? "1 link is ready" : "2 links are ready");
    await waitFor(() => expect(screen.getAllByRole("link", { name: "Lamp 0" })).toHaveLength(2));
    expect(queries).toHaveLength(1);
    await user.keyboard("{Enter}");
    expect(await navigator.clipboard.readText()).toBe(shortUrlsOf(...links.slice(0, count)).join("\n"));
    await click("Done");
    expect(panel()).toBeNull();
  });

  test("the focus stays where the user types while links are created", async () => {
    serveLinks([shortLink()]);
    const { released, release } = heldReplies();
    serveGenerate(() => released.then(() => null));
    await renderPages("/dashboard");
    const search = await screen.findByRole("searchbox");
    pasteOnPage(first.originalUrl);
    await finished("Creating your links: 0 of 1 done");
    await user.click(search);
    release();
    await finished("1 link is ready");
    expect(document.activeElement).toBe(search);
    await results().findByText("me-21");
  });

  test("a field creates links, too, and is free for the next ones at once", async () => {
    const { released, release } = heldReplies();
    serveGenerate(() => released.then(() => null));
    await renderPages("/dashboard");
    await pasteIntoField(first.originalUrl);
    expect(linkField()).toMatchObject({ value: "", disabled: false });
    await user.paste(second.originalUrl);
    release();
    await finished("2 links are ready");
    await user.keyboard("{Enter}");
    expect(await navigator.clipboard.readText()).toBe(shortUrlsOf(first, second).join("\n"));
  });
});

describe("a list whose login ends before the second link", () => {
  test("stays while it is shown, and asks before the browser or the account is left while it runs", async () => {
    const { released, release } = heldReplies();
    serveGenerate(() => released.then(() => null));
    const identity = await openAsUser("/dashboard");
    await screen.findByRole("textbox", { name: LINK_FIELD });
    pasteOnPage(addressesOf(first, second));
    await waitFor(() => expect(isReloadHeld()).toBe(true));
    await click("Log out");
    await answer("Cancel");
    release();
    await finished("2 links are ready");
    expect(isReloadHeld()).toBe(false);
    act(() => identity.setIdentity(null));
    await screen.findByText("You were logged out. Log in to continue.");
    expect(shortUrls()).toHaveLength(2);
  });
});

test("a new link names a tag that does not belong to the user, which theirs replaces", async () => {
  serveChannels(mainChannel({ tags: [{ marketplace: "de", tag: "anna-21" }] }));
  serve("POST /api/generate", () =>
    HttpResponse.json(generatedLink({ ...first, hasUnknownTag: true }), { status: 201 }),
  );
  const sent = serve(`PATCH /api/links/${first.shortCode}`, () =>
    shortLink({ webUrl: addressesOf(first).replace("me-21", "anna-21") }),
  );
  await openAsUser("/dashboard");
  await screen.findByRole("textbox", { name: LINK_FIELD });
  pasteOnPage(addressesOf(first, first));
  await finished("1 link is ready");
  expect((await results().findByText(/is not one of your tags/)).textContent).toContain("me-21");
  await click("Use anna-21");
  await results().findByText("The tag of this link is anna-21.");
  expect(sent).toEqual([{ tagSource: "channel" }]);
});
