import { ACCOUNT_HEADER } from "@tapthru/proto/account-header";
import { act, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { problem, serveAccounts } from "../../testing/accounts-server.ts";
import { mainChannel, serveChannels } from "../../testing/channels-server.ts";
import { answer, isReloadHeld, logInAgain } from "../../testing/controls.ts";
import { fakeIdentityProvider, identityFor } from "../../testing/fake-identity-provider.ts";
import { advanceBy, advanceUntil, useFakeClock } from "../../testing/fake-timers.ts";
import { linkReply } from "../../testing/generate-server.ts";
import { serveLinks, shortLink } from "../../testing/links-server.ts";
import { ANNA, openAsUser } from "../../testing/open-as-user.ts";
import { renderApp } from "../../testing/render-app.tsx";
import { renderPages } from "../../testing/render-pages.tsx";
import { heldReplies, serve } from "../../testing/serve.ts";
import { server } from "../../testing/server.ts";
import { findToast } from "../../testing/toast.ts";

const links = Array.from({ length: 25 }, (_, i) => ({
  originalUrl: `https://www.amazon.de/dp/B0ZZ1Y2X${String(i).padStart(2, "0")}?tag=me-21`,
  shortCode: `code${String(i).padStart(3, "2")}`,
  shortUrl: `https://tapthru.example/l/code${String(i).padStart(3, "2")}`,
  title: `Lamp ${i}`,
}));
const [first, second, third] = links as [Link, Link, Link];
type Link = (typeof links)[number];
const addressesOf = (...some: Link[]) => some.map(({ originalUrl }) => originalUrl).join("\n");

let user: ReturnType<typeof userEvent.setup>;
beforeEach(() => {
  user = userEvent.setup();
});

/** Creates the link of each request. @param refuse the response to some requests */
function serveGenerate(refuse: (url: string, attempt: number) => Response | null = () => null) {
  const requests: { url: string; key: string | null }[] = [];
  server.use(
    http.post("/api/generate", async ({ request }) => {
      const { url } = (await request.json()) as { url: string };
      requests.push({ url, key: request.headers.get("Idempotency-Key") });
      const attempt = requests.filter((each) => each.url === url).length;
      const link = links.find(({ originalUrl }) => originalUrl === url);
      return refuse(url, attempt) ?? linkReply(link)();
    }),
  );
  return requests;
}

function pasteOnPage(text: string) {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", text);
  act(() => {
    document.body.dispatchEvent(new ClipboardEvent("paste", { bubbles: true, clipboardData }));
  });
}

const panel = () => screen.queryByRole("region", { name: "New links" });
const status = () => {
  const region = panel();
  return region && within(region).getByRole("status").textContent;
};
const finished = (text: string) => waitFor(() => expect(status()).toBe(text));
const shortUrls = () =>
  within(panel() as HTMLElement)
    .queryAllByRole("link")
    .map((link) => link.textContent)
    .filter((text) => text?.startsWith("https:"));

describe("several links pasted on Home", () => {
  test("are all created, one after another, with a result for each", async () => {
    const requests = serveGenerate();
    await renderApp();
    await user.click(screen.getByRole("textbox"));
    await user.paste(addressesOf(first, second, third));
    await finished("3 links are ready");
    expect(requests.map(({ url }) => url)).toEqual([first.originalUrl, second.originalUrl, third.originalUrl]);
    expect(new Set(requests.map(({ key }) => key)).size).toBe(3);
    expect(shortUrls()).toEqual([first.shortUrl, second.shortUrl, third.shortUrl]);
    await user.click(screen.getByRole("button", { name: "Copy link of Lamp 1" }));
    expect(await navigator.clipboard.readText()).toBe(second.shortUrl);
    await user.click(screen.getByRole("button", { name: "Copy all" }));
    expect(await navigator.clipboard.readText()).toBe(
      [first, second, third].map(({ shortUrl }) => shortUrl).join("\n"),
    );
    await findToast("Links copied to clipboard");
    vi.spyOn(navigator.clipboard, "writeText").mockRejectedValueOnce(new Error("refused"));
    await user.click(screen.getByRole("button", { name: "Copy link of Lamp 1" }));
    expect(await findToast("Failed to copy link")).toBe("ErrorFailed to copy link");
  });

  test("show the error of each that fails, which can be retried", async () => {
    const requests = serveGenerate((url, attempt) =>
      url === second.originalUrl && attempt === 1 ? new HttpResponse("Unavailable", { status: 503 }) : null,
    );
    await renderApp();
    pasteOnPage(addressesOf(first, second, third));
    await finished("2 links are ready, 1 failed");
    expect(screen.getByText(/Server error: Unavailable/)).toBeTruthy();
    await user.dblClick(screen.getByRole("button", { name: `Try again with ${second.originalUrl}` }));
    await finished("3 links are ready");
    const [, retried] = within(panel() as HTMLElement).getAllByRole("listitem");
    expect(document.activeElement).toBe(retried);
    expect(shortUrls()).toEqual([first.shortUrl, second.shortUrl, third.shortUrl]);
    const attempts = requests.filter(({ url }) => url === second.originalUrl);
    expect(attempts).toHaveLength(2);
    expect(attempts[0]?.key).toBe(attempts[1]?.key);
  });

  test("that failed stay when others are pasted, and are tried again with the same key when they are", async () => {
    const requests = serveGenerate((url, attempt) =>
      url === second.originalUrl && attempt === 1 ? new HttpResponse("Unavailable", { status: 503 }) : null,
    );
    await renderApp();
    pasteOnPage(addressesOf(first, second));
    await finished("1 link is ready, 1 failed");
    pasteOnPage(addressesOf(first, third));
    await finished("2 links are ready, 1 failed");
    pasteOnPage(addressesOf(second, third));
    await finished("2 links are ready");
    const keys = requests.filter(({ url }) => url === second.originalUrl).map(({ key }) => key);
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
  });

  test("show why an address is refused, without a request and a second try", async () => {
    const requests = serveGenerate();
    await renderApp();
    pasteOnPage(`${addressesOf(first, second)}\nhttps://example.com/lamp`);
    await finished("2 links are ready, 1 failed");
    expect(screen.getByText("Please enter a valid Amazon URL")).toBeTruthy();
    expect(screen.queryByRole("button", { name: /^Try again/ })).toBeNull();
    expect(requests).toHaveLength(2);
  });

  test("are created up to 20 at once, which the panel says", async () => {
    const requests = serveGenerate();
    await renderApp();
    pasteOnPage(addressesOf(...links));
    await finished("20 links are readyYou can create up to 20 links at once. 5 of them were left out.");
    expect(requests).toHaveLength(20);
  });

  test("wait as long as the server says when there are too many requests", async () => {
    user = useFakeClock();
    const requests = serveGenerate((url, attempt) =>
      url === second.originalUrl && attempt === 1
        ? new HttpResponse("Too many.", { status: 429, headers: { "Retry-After": "30" } })
        : null,
    );
    await renderApp();
    pasteOnPage(addressesOf(first, second, third));
    await advanceUntil(() => status()?.includes("The rest will follow shortly.") ?? false);
    await advanceBy(29_000);
    expect(requests).toHaveLength(2);
    await advanceUntil(() => status() === "3 links are ready");
    expect(requests.map(({ url }) => url)).toEqual([
      first.originalUrl,
      second.originalUrl,
      second.originalUrl,
      third.originalUrl,
    ]);
    expect(requests[1]?.key).toBe(requests[2]?.key);
  });

  test("join a running batch, each once", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let requests = 0;
    server.use(
      http.post("/api/generate", async () => {
        requests += 1;
        await promise;
        return linkReply()();
      }),
    );
    await renderApp();
    pasteOnPage(addressesOf(first, second));
    await waitFor(() => expect(status()).toBe("Creating your links: 0 of 2 done"));
    pasteOnPage(addressesOf(second, third));
    pasteOnPage(first.originalUrl);
    await waitFor(() => expect(status()).toBe("Creating your links: 0 of 3 done"));
    resolve();
    await finished("3 links are ready");
    expect(requests).toBe(3);
  });

  test("all belong to an account that is created while they are created", async () => {
    const { promise: signedIn, resolve: signIn } = Promise.withResolvers<void>();
    const accounts = serveAccounts();
    const identity = fakeIdentityProvider();
    const owned = new Set<string | undefined>();
    let created = 0;
    let isSignedIn = false;
    server.use(
      http.post("/api/generate", async () => {
        const link = links[created++];
        // The fourth request is sent before the login, and replied to after it.
        const isOwn = isSignedIn;
        if (created === 4) await signedIn;
        // The cookie of the session identifies the user.
        if (isOwn) owned.add(link?.shortCode);
        return linkReply(link)();
      }),
      http.post("/api/links/bulk/claim", async ({ request }) => {
        const { shortCodes } = (await request.clone().json()) as { shortCodes: string[] };
        for (const shortCode of shortCodes) owned.add(shortCode);
      }),
    );
    await renderApp("/", { identity });
    pasteOnPage(addressesOf(...links.slice(0, 20)));
    await waitFor(() => expect(status()).toBe("Creating your links: 3 of 20 done"));
    await user.click(screen.getAllByRole("link", { name: "Sign up for free" })[0] as HTMLElement);
    await user.type(await screen.findByLabelText("Username"), "Clara");
    await user.type(screen.getByLabelText("Email"), "clara@example.com");
    await user.type(screen.getByLabelText("Password"), "secret1");
    await user.type(screen.getByLabelText("Confirm password"), "secret1{Enter}");
    await screen.findByRole("heading", { name: "Your Links" });
    expect(accounts.calls()).toContain("POST /api/links/bulk/claim");
    isSignedIn = true;
    signIn();
    await finished("20 links are ready");
    const codes = links.slice(0, 20).map(({ shortCode }) => shortCode);
    await waitFor(() => expect([...owned].sort()).toEqual(codes.sort()));
    await waitFor(() => expect(localStorage.getItem("recent_links")).toBeNull());
    expect(sessionStorage.getItem("pendingLink")).toBeNull();
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
    await user.click(screen.getByRole("button", { name: "Done" }));
    expect(panel()).toBeNull();
  });

  test("a link that fails is not lost while another page is visited", async () => {
    serveLinks([]);
    server.use(http.get("/api/links/:code", () => HttpResponse.json(shortLink())));
    serveGenerate((url) => (url === second.originalUrl ? new HttpResponse("No.", { status: 500 }) : null));
    await renderPages("/dashboard");
    pasteOnPage(addressesOf(first, second));
    await finished("1 link is ready, 1 failed");
    await user.click(screen.getByRole("link", { name: "Lamp 0" }));
    await screen.findByRole("button", { name: "< Back to List" });
    await user.click(screen.getByRole("button", { name: "Browser's back" }));
    expect(status()).toBe("1 link is ready, 1 failed");
  });

  test("a field creates links, too, and is free for the next ones at once", async () => {
    serveLinks([]);
    const { promise, resolve } = Promise.withResolvers<void>();
    server.use(
      http.post("/api/generate", async () => {
        await promise;
        return linkReply()();
      }),
    );
    await renderPages("/dashboard");
    const field = screen.getByRole<HTMLInputElement>("textbox", { name: "Amazon product or store link" });
    await user.click(field);
    await user.paste(first.originalUrl);
    expect([field.value, field.disabled]).toEqual(["", false]);
    await user.paste(second.originalUrl);
    resolve();
    await finished("2 links are ready");
  });
});

test("several links pasted into the field of /link-creation are shown below it", async () => {
  serveGenerate();
  await renderPages("/link-creation");
  await user.click(screen.getByRole("textbox"));
  await user.paste(addressesOf(first, second));
  await finished("2 links are ready");
  const details = screen.getByRole("link", { name: "Lamp 1" });
  expect(details.getAttribute("href")).toBe(`/link/${second.shortCode}`);
});

describe("a list whose login ends before the second link", () => {
  test.each(["/", "/link-creation", "/dashboard"])(
    "goes on after the next login, in the same account, on %s",
    async (path) => {
      const identity = fakeIdentityProvider(ANNA);
      vi.spyOn(identity, "restore").mockResolvedValue(null);
      let hasEnded = false;
      const accounts: (string | null)[] = [];
      server.events.on("request:start", ({ request }) => {
        if (request.url.endsWith("/api/generate")) accounts.push(request.headers.get(ACCOUNT_HEADER));
      });
      onTestFinished(() => server.events.removeAllListeners());
      serveGenerate((url) => {
        if (url !== second.originalUrl || hasEnded) return null;
        hasEnded = true;
        return problem("login-required");
      });
      await openAsUser(path, { identity });
      await screen.findByRole("textbox");
      pasteOnPage(addressesOf(first, second, third));
      await logInAgain();
      await finished("3 links are ready");
      expect(shortUrls()).toEqual([first.shortUrl, second.shortUrl, third.shortUrl]);
      expect(accounts).toEqual(Array(4).fill("1"));
      expect(screen.queryByRole("dialog", { name: "Your login has ended" })).toBeNull();
    },
  );

  test("is dropped, and makes no link of another user who logs in instead", async () => {
    const identity = fakeIdentityProvider(ANNA);
    vi.spyOn(identity, "restore").mockResolvedValue(null);
    const accounts: (string | null)[] = [];
    server.use(
      http.post("/api/generate", ({ request }) => {
        accounts.push(request.headers.get(ACCOUNT_HEADER));
        return problem("login-required");
      }),
    );
    await openAsUser("/dashboard", { identity });
    await screen.findByRole("textbox");
    pasteOnPage(addressesOf(first, second));
    const dialog = within(await screen.findByRole("dialog", { name: "Your login has ended" }));
    expect(dialog.getByLabelText("Email")).toHaveProperty("value", ANNA.email);
    act(() => identity.setIdentity(identityFor("eve@example.com")));
    await waitFor(() => expect(panel()).toBeNull());
    expect(accounts).toEqual(["1"]);
  });

  test("stays while it is shown, and asks before the browser or the account is left while it runs", async () => {
    const { released, release } = heldReplies();
    serve("POST /api/generate", () => released.then(linkReply(first)));
    const identity = await openAsUser("/dashboard");
    await screen.findByRole("textbox");
    pasteOnPage(addressesOf(first, second));
    await waitFor(() => expect(isReloadHeld()).toBe(true));
    await user.click(screen.getByRole("button", { name: "Log out" }));
    await answer("Cancel");
    release();
    await finished("2 links are ready");
    expect(isReloadHeld()).toBe(false);
    act(() => identity.setIdentity(null));
    await screen.findByRole("dialog", { name: "Your login has ended" });
    expect(shortUrls()).toHaveLength(2);
  });
});

test("a new link names a tag that is none of the user's, which theirs replaces", async () => {
  server.use(serveChannels(mainChannel({ tags: [{ marketplace: "de", tag: "anna-21" }] })));
  server.use(http.post("/api/generate", linkReply({ ...first, hasUnknownTag: true })));
  const sent = serve(`PATCH /api/links/${first.shortCode}`, () =>
    shortLink({ webUrl: addressesOf(first).replace("me-21", "anna-21") }),
  );
  await openAsUser("/dashboard");
  await screen.findByRole("textbox");
  pasteOnPage(addressesOf(first, first));
  await finished("1 link is ready");
  const results = within(panel() as HTMLElement);
  expect(results.getByText(/is not one of your tags/).textContent).toContain("me-21");
  await user.click(results.getByRole("button", { name: "Use anna-21" }));
  await results.findByText("The tag of this link is anna-21.");
  expect(sent).toEqual([{ tagSource: "channel" }]);
});
