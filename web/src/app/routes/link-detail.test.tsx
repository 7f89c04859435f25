import type { Link, LinkHealth } from "@tapthru/proto/links";
import { getLinkRouting } from "@tapthru/proto/routing";
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { HttpResponse } from "msw";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { linkOptions } from "../../features/links/get-link.ts";
import { clickReport, clicksApiHandlers } from "../../testing/clicks-server.ts";
import {
  answer,
  click,
  heading as findHeading,
  link as findLink,
  question,
  section,
  stubNavigator,
} from "../../testing/controls.ts";
import { exampleOf } from "../../testing/examples.ts";
import { advanceBy, advanceUntil, useFakeClock } from "../../testing/fake-timers.ts";
import { serveLinks, shortLink } from "../../testing/links-server.ts";
import { renderPages } from "../../testing/render-pages.tsx";
import { failure, heldReplies, serve } from "../../testing/serve.ts";
import { server } from "../../testing/server.ts";
import { findToast, toast } from "../../testing/toast.ts";

const GET = "GET /api/links/abcdefg";
const PATCH = "PATCH /api/links/abcdefg";
const DP = "https://www.amazon.de/dp/B0ZZ1Y2X3W";

let user: ReturnType<typeof userEvent.setup>;
/** The link on the server. */
let link: Link;
let fetches: unknown[];

beforeEach(() => {
  user = userEvent.setup();
  link = shortLink({ shortCode: "abcdefg", id: 7 });
  fetches = serve(GET, () => link);
  serve("GET /api/links/abcdefg/routing", () => exampleOf(getLinkRouting));
});

const heading = () => screen.queryByRole("button", { name: "Delete" }) && screen.getByRole("heading", { level: 1 });
const pencil = () => button("Edit name");
const input = (name: string) => screen.getByRole<HTMLInputElement>("textbox", { name });
const button = (name: string) => screen.getByRole<HTMLButtonElement>("button", { name });

/** Opens a tab of the page. @param changes of the link */
async function open(changes: Partial<Link> = {}, tab = "") {
  link = { ...link, ...changes };
  await renderPages(`/link/abcdefg${tab}`);
  await screen.findByRole("navigation", { name: "Parts of this link's page" });
}

describe("the page", () => {
  // Specification 2.3, 2.45, 2.47
  test("shows name, short URL, preview and original URL", async () => {
    await open({ nickname: "My lamp" });
    expect(heading()?.textContent).toBe("My lamp");
    expect(document.title).toBe("My lamp - Tapthru");
    const shortUrl = screen.getByRole("link", { name: /\/l\/abcdefg$/ });
    expect(shortUrl.textContent).toBe("https://tapthru.example/l/abcdefg");
    expect(shortUrl.getAttribute("href")).toBe("https://tapthru.example/l/abcdefg");
    expect(shortUrl.getAttribute("target")).toBe("_blank");
    expect((await section("Preview")).getByText("A lamp")).toBeTruthy();
    expect(document.querySelector("img")?.src).toBe(link.imageUrl);
    expect((await section("Original URL")).getByRole("link").getAttribute("href")).toBe(link.originalUrl);
  });

  // Specification 2.42, 8.22
  test("shows an error and a button to the dashboard if the link cannot be loaded", async () => {
    serve(GET, () => failure(404));
    const queryClient = await renderPages("/link/abcdefg");
    expect((await screen.findByRole("alert")).textContent).toBe("Error loading link details. Please try again.");
    expect(document.title).toBe("Error loading link details. Please try again. - Tapthru");
    expect(queryClient.getQueryState(linkOptions("abcdefg").queryKey)?.error?.message).toBe("Failed to fetch link");
    await click("Return to Dashboard");
    expect(await findHeading("Your Links")).toBeTruthy();
  });

  // Specification 2.45, 2.49, 8.8
  test("copies the short URL and shows a check mark for 2 seconds", async () => {
    user = useFakeClock();
    await renderPages("/link/abcdefg");
    await advanceUntil(() => heading() !== null);
    await user.click(button("Copy link"));
    expect(await navigator.clipboard.readText()).toBe("https://tapthru.example/l/abcdefg");
    await advanceUntil(() => screen.queryByText("Copied!") !== null);
    expect(toast()).toBe("Copied!Link copied to clipboard");
    const hasCheckMark = () => button("Copy link").querySelector(".lucide-check") !== null;
    await advanceBy(1_700);
    expect(hasCheckMark()).toBe(true);
    await advanceBy(300);
    expect(hasCheckMark()).toBe(false);
  });

  test("keeps the colours of its QR code for the next one, offers no code that phones cannot read, and says if none can be drawn", async () => {
    await open({ plainUrl: "https://tapthru.example/l/abcdefg-print" });
    const paint = (name: string, value: string) => fireEvent.input(screen.getByLabelText(name), { target: { value } });
    await click("Show QR code");
    paint("Color of the code", "#003399");
    paint("Background", "#224488");
    const unreadable = "Phones cannot read these colors. Choose a darker code or a lighter background.";
    expect((await screen.findByRole("alert")).textContent).toBe(unreadable);
    for (const kind of ["SVG", "PNG"]) expect(button(`Download ${kind}`).hasAttribute("disabled")).toBe(true);
    paint("Background", "#ffcc00");
    expect(screen.queryByRole("alert")).toBeNull();
    await user.keyboard("{Escape}");
    await click("Show QR code");
    const picture = screen.getByRole("img", { name: /^QR code of/ });
    const fills = [...picture.querySelectorAll("path")].map((path) => path.getAttribute("fill"));
    expect(fills).toEqual(["#ffcc00", "#003399"]);
    vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue(null);
    await click("Download PNG");
    await screen.findByText("Failed to make the QR code. Please reload the page.", { selector: "[role=alert]" });
  });

  test("shares name and short link, and shows an error only if that fails, not if it is cancelled or already open", async () => {
    const share = vi.fn<(data: ShareData) => Promise<void>>();
    for (const name of ["InvalidStateError", "AbortError", "NotAllowedError"]) {
      share.mockRejectedValueOnce(new DOMException("Not shared", name));
    }
    stubNavigator("share", share);
    await open({ nickname: "My lamp" });
    await user.dblClick(button("Share link"));
    expect(toast()).toBeFalsy();
    await click("Share link");
    await findToast("ErrorFailed to share link. Please try again.");
    expect(share).toHaveBeenCalledWith({ title: "My lamp", url: "https://tapthru.example/l/abcdefg" });
  });
});

describe("polling", () => {
  beforeEach(() => {
    user = useFakeClock();
  });

  async function openWithout(changes: Partial<Link>) {
    link = { ...link, ...changes };
    await renderPages("/link/abcdefg");
    await advanceUntil(() => heading() !== null);
  }

  test.each([
    [{ title: null }, 4],
    [{ imageUrl: null }, 4],
    [{}, 1],
  ])("refetches three times, every 2 seconds, while something is missing: %j", async (missing, count) => {
    await openWithout(missing);
    await advanceBy(1_800);
    expect(fetches).toHaveLength(1);
    await advanceBy(30_000);
    expect(fetches).toHaveLength(count);
  });

  test("continues after an edit, and begins again at the next visit", async () => {
    serve(PATCH, () => link);
    await openWithout({ imageUrl: null });
    serveLinks([link]);
    await user.click(pencil());
    await user.type(input("Name (only you see it)"), "Lamp{Enter}");
    await advanceBy(30_000);
    expect(fetches).toHaveLength(4);
    await user.click(button("< Back to List"));
    await advanceUntil(() => screen.queryByRole("link", { name: "A lamp" }) !== null);
    await user.click(screen.getByRole("link", { name: "A lamp" }));
    await advanceBy(30_000);
    expect(fetches).toHaveLength(7);
  });

  test("ends after failures, and the page stays unchanged", async () => {
    await openWithout({ imageUrl: null });
    const failures = serve(GET, () => failure(403));
    await advanceBy(60_000);
    expect([failures.length, heading()?.textContent]).toEqual([3, "A lamp"]);
  });

  test("shows an error when the link no longer exists", async () => {
    await openWithout({ imageUrl: null });
    serve(GET, () => failure(404));
    await advanceUntil(() => screen.queryByRole("alert") !== null);
    expect(screen.getByRole("alert").textContent).toBe("This link was deleted.");
  });
});

describe("going back to the list", () => {
  const DAYS = "period=custom&from=2026-11-01&to=2026-11-03";

  /** Opens a link from a list of its own, in which the user then goes on. */
  async function openFromList() {
    serveLinks([link]);
    server.use(...clicksApiHandlers(() => HttpResponse.json(clickReport([{ person: 3 }, { person: 4 }]))));
    await renderPages("/dashboard?q=lamp&sort=name");
    await user.click(await findLink("A lamp"));
    await waitFor(() => expect(heading()).toBeTruthy());
  }
  const isInList = async () => {
    expect(await findHeading("Your Links")).toBeTruthy();
    expect(screen.getByRole<HTMLInputElement>("searchbox").value).toBe("lamp");
  };

  // From its page and after another tab, e2e/dashboard.spec.ts shows it.
  test("opens its search and its order after a day of a chart", async () => {
    await openFromList();
    const days = await screen.findByRole("slider", { name: "Taps by day" });
    fireEvent.focus(days);
    fireEvent.keyDown(days, { key: "Enter" });
    await waitFor(() => expect(screen.queryByRole("button", { name: "Delete" })).toBeNull());
    await click("< Back to List");
    await isInList();
  });

  test("goes back to the list after a deletion too", async () => {
    await openFromList();
    serve("DELETE /api/links/7", () => ({ id: 7, shortCode: "abcdefg" }));
    await click("Delete");
    await answer("Delete");
    await findToast("Link deletedThe link has been successfully deleted.");
    await isInList();
    expect(screen.queryByText("This link was deleted.")).toBeNull();
  });

  test("leads to the dashboard if another page led to the link", async () => {
    serveLinks([link]);
    await renderPages(`/link/abcdefg/clicks?${DAYS}`);
    await click("< Back to List");
    expect(await findHeading("Your Links")).toBeTruthy();
    expect(screen.getByRole<HTMLInputElement>("searchbox").value).toBe("");
  });
});

test("a reply that comes after the page was left leads nowhere, and is said", async () => {
  const { released, release } = heldReplies();
  serve("DELETE /api/links/7", () => released.then(() => ({ id: 7, shortCode: "abcdefg" })));
  serveLinks([link]);
  const client = await renderPages("/clicks", "/dashboard?q=lamp", "/link/abcdefg");
  await screen.findByRole("navigation", { name: "Parts of this link's page" });
  await click("Delete");
  await answer("Delete");
  await click("Browser's back");
  await findHeading("Your Links");
  await findLink("A lamp");
  release();
  await waitFor(() => expect(client.isMutating()).toBe(0));
  await act(async () => {});
  expect([screen.queryByRole<HTMLInputElement>("searchbox")?.value, heading()]).toEqual(["lamp", null]);
  await findToast("Link deletedThe link has been successfully deleted.");
});

describe("editing the name", () => {
  const accessibleName = "Name (only you see it)";
  const failed = "Failed to update link name. Please try again.";
  const shown = async () => heading()?.textContent;
  const isShown = (text: string) => waitFor(async () => expect(await shown()).toBe(text));

  async function type(text: string) {
    await user.click(pencil());
    await user.clear(input(accessibleName));
    if (text) await user.type(input(accessibleName), text);
  }

  // Specification 2.44
  test("shows the new text at once, and closes the form after the server has responded", async () => {
    const { released, release } = heldReplies();
    const sent = serve(PATCH, async () => {
      await released;
      link = { ...link, nickname: "A lamp, red" };
      return link;
    });
    const links = [link];
    const { queries } = serveLinks(links);
    await renderPages("/dashboard");
    await user.click(await findLink("A lamp"));
    await waitFor(() => expect(heading()).toBeTruthy());
    fireEvent.click(pencil());
    expect(document.activeElement).toBe(input(accessibleName));
    expect(input(accessibleName).selectionEnd).toBe("A lamp".length);
    await user.clear(input(accessibleName));
    await user.type(input(accessibleName), "  A lamp, red ");
    // The second submission is ignored.
    for (let count = 0; count < 2; count += 1) input(accessibleName).form?.requestSubmit();
    await isShown("A lamp, red");
    await waitFor(() => expect(button("Saving...").getAttribute("aria-disabled")).toBe("true"));
    links[0] = { ...link, nickname: "A lamp, red" };
    release();
    await waitFor(() => expect(screen.queryByRole("textbox")).toBeNull());
    await isShown("A lamp, red");
    expect([document.activeElement, sent]).toEqual([pencil(), [{ nickname: "A lamp, red" }]]);
    await waitFor(() => expect(fetches).toHaveLength(2));
    await click("< Back to List");
    expect(screen.getByRole("link", { name: "A lamp, red" })).toBeTruthy();
    await waitFor(() => expect(queries).toHaveLength(2));
  });

  // Specification 8.21
  test("rolls the name back when the server refuses, and keeps form and text", async () => {
    const { released, release } = heldReplies();
    serve(PATCH, () => released.then(() => failure(500)));
    await open();
    await type("A lamp, red");
    await user.keyboard("{Enter}");
    await isShown("A lamp, red");
    await user.keyboard("{Escape}");
    await user.click(pencil());
    release();
    expect((await screen.findByText(failed)).role).toBe("alert");
    await isShown("A lamp");
    expect(input(accessibleName).value).toBe("A lamp, red");
  });

  test("editing a link that was deleted in another tab says so and leads back to the list", async () => {
    serve(PATCH, () => failure(404));
    await open();
    await type("A lamp, red");
    serve(GET, () => failure(404));
    await user.keyboard("{Enter}");
    expect(await findToast("This link was deleted.")).toBe("ErrorThis link was deleted.");
    expect((await screen.findByRole("alert")).textContent).toBe("This link was deleted.");
    expect(document.activeElement?.textContent).toBe("This link was deleted.");
    await click("Return to Dashboard");
    expect(await findHeading("Your Links")).toBeTruthy();
  });

  // Specification 5.10
  test("rejects a blank and a long text at the field without a request, and is cancelled by its button", async () => {
    const sent = serve(PATCH, () => failure(500));
    await open();
    await user.click(pencil());
    for (const [text, message] of [
      ["   ", "Nickname is required"],
      ["x".repeat(201), "Nickname must be at most 200 characters"],
    ] as const) {
      await user.clear(input(accessibleName));
      await user.paste(text);
      await click("Save");
      await screen.findByText(message);
      expect(input(accessibleName).getAttribute("aria-invalid")).toBe("true");
      expect(document.activeElement).toBe(input(accessibleName));
    }
    expect(sent).toEqual([]);
    await user.click(pencil());
    expect(screen.queryByRole("textbox")).toBeNull();
    expect(document.activeElement).toBe(pencil());
    await isShown("A lamp");
  });
});

// Specification 2.50, 8.20
test("a deletion that fails shows an error and keeps the link, unless it was deleted elsewhere", async () => {
  serveLinks([link]);
  serve("DELETE /api/links/7", () => failure());
  await open();
  await click("Delete");
  expect(question().getByText(/^Are you sure you want to delete this link\?/)).toBeTruthy();
  question().getByRole("button", { name: "Delete" }).click();
  await findToast("ErrorFailed to delete the link. Please try again.");
  expect(heading()?.textContent).toBe("A lamp");
  expect(document.activeElement).toBe(button("Delete"));
  serve("DELETE /api/links/7", () => failure(404));
  await click("Delete");
  await answer("Delete");
  await findToast("Link deleted");
});

test("a deleted link comes back with 'Undo'", async () => {
  serve("DELETE /api/links/7", () => {
    serveLinks([]);
    return { id: 7, shortCode: "abcdefg" };
  });
  const restored = serve("POST /api/links/bulk/restore", () => {
    serveLinks([link]);
    return { results: [{ id: 7, error: null }] };
  });
  await open();
  await click("Delete");
  await answer("Delete");
  await findToast("Link deletedThe link has been successfully deleted.");
  await click("Undo");
  await screen.findByRole("link", { name: "A lamp" });
  expect(restored).toEqual([{ ids: [7] }]);
});

describe("the health of a link", () => {
  const CHECKED = "2026-11-20T08:00:00.000Z";
  const LATER = "2026-11-22T08:00:00.000Z";
  const GONE: LinkHealth = {
    state: "product-gone",
    since: CHECKED,
    checkedAt: CHECKED,
    attemptedAt: CHECKED,
    source: "page",
    fallbackUrl: null,
  };

  beforeEach(() => {
    link.health = GONE;
  });

  test("does not repeat the warning about a missing tag", async () => {
    const webUrl = "https://www.amazon.com/dp/B0CX23V2ZK";
    link = { ...link, webUrl, health: { ...GONE, state: "tag-missing" } };
    await open({}, "/settings");
    expect((await section("Health")).getByText(/^Add your tag, or change the destination/)).toBeTruthy();
    expect(screen.getAllByText(/^This link has no tag, so you earn nothing/)).toHaveLength(1);
  });

  test.each([{ takenDown: true }, { invalid: true, webUrl: "", deepLink: "" }])(
    "does not show the health of a link that cannot be opened: %j",
    async (changes) => {
      await open(changes);
      expect(screen.queryByRole("heading", { name: "Health" })).toBeNull();
      expect(screen.queryByText("Product gone")).toBeNull();
    },
  );

  test.each([
    ["", "product-gone", { state: "ok", checkedAt: LATER }, /^Everything works/],
    ["/settings", "ok", { state: "product-gone", checkedAt: LATER }, /^Amazon no longer/],
    ["", "product-gone", {}, /Our last try was Nov 22, 2026.*; Amazon did not respond\.$/],
  ] as const)("'Check now' shows the new health, as far as Amazon responds: %s", async (tab, before, after, note) => {
    link.health = { ...GONE, state: before };
    await open({}, tab);
    const card = await section("Health");
    serve("POST /api/links/abcdefg/check", () => {
      link = { ...link, health: { ...link.health, attemptedAt: LATER, ...after } };
      return HttpResponse.json({ isQueued: true }, { status: 202 });
    });
    await click("Check now");
    await findToast("We are asking Amazon.");
    expect(await card.findByText(note)).toBeTruthy();
    expect(card.getByRole("button", { name: "Check now" })).toBeTruthy();
  });

  test("shows the health as a badge in the list", async () => {
    const states = ["product-gone", "redirected-elsewhere", "tag-malformed", "out-of-stock"] as const;
    serveLinks(states.map((state, n) => shortLink({ id: 9 - n, health: { ...GONE, state } })));
    await renderPages("/dashboard");
    for (const badge of ["Product gone", "Redirected", "Check the tag", "Out of stock"]) await screen.findByText(badge);
  });
});

describe("the tag", () => {
  test.each([
    [["me-21"], "This tag is kept in the app and in every browser.", undefined],
    [["me-21", "you-21"], "This link has more than one tag, but Amazon allows only one. Please choose it.", undefined],
    // Of the US tag, the owner can say more.
    [["me-20"], expect.stringMatching(/^This looks like a tag for amazon\.com\./), "/account/stores"],
  ])("%j is checked", async (tags, message, more) => {
    const webUrl = `${DP}?${tags.map((tag) => `tag=${tag}`).join("&")}`;
    await open({ originalUrl: webUrl, webUrl });
    // One with a warning is shown at once.
    if (tags[0] === "me-21" && tags.length === 1) await click("me-21");
    const card = await section("Tag");
    expect(card.getAllByRole("paragraph")[0]?.lastElementChild?.textContent).toEqual(message);
    const stores = card.queryByRole("link", { name: /stores that OneLink serves$/ });
    expect(stores?.getAttribute("href")).toBe(more);
  });

  test("warns of a missing tag above the cards, and gives it to all links without one", async () => {
    const changes = serve<object>("PUT /api/channels/1/tags", ({ body }) => ({ ...body, linkCount: 0 }));
    serve("GET /api/link-ids", () => [7, 8]);
    const results = [7, 8].map((id) => ({ id, error: null }));
    const changed = serve("PUT /api/links/bulk/channel", () => ({ results }));
    await open({ originalUrl: DP, webUrl: DP });
    const warning = screen.getByText("This link has no tag, so you earn nothing from purchases.");
    const preview = screen.getByRole("heading", { name: "Preview" });
    expect(warning.compareDocumentPosition(preview)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    expect(screen.queryByRole("heading", { name: "Tag" })).toBeNull();
    await user.type(await screen.findByRole("textbox", { name: "Your tag for amazon.de" }), "me-21{Enter}");
    await findToast("Saved. 2 links now have the tag.");
    expect([changes, changed]).toEqual([
      [{ marketplace: "de", tag: "me-21" }],
      [{ ids: [7, 8], channelId: 1, usesChannelTag: true }],
    ]);
  });
});

test("the QR code begins without the tag, and it and the copy for emails are of one link, made when it is first wanted", async () => {
  const UNTAGGED = "https://tapthru.example/l/abcdefg-print";
  const { released, release } = heldReplies();
  const untagged = serve("PUT /api/links/abcdefg/untagged", async () => {
    await released;
    link = { ...link, plainUrl: UNTAGGED };
    return link;
  });
  await open();
  expect(untagged).toEqual([]);
  await click("Show QR code");
  const dialog = within(await screen.findByRole("dialog"));
  dialog.getByText("The link without a tag is being made…");
  expect(dialog.queryByRole("img")).toBeNull();
  expect(dialog.getByRole("button", { name: "Download PNG" }).hasAttribute("disabled")).toBe(true);
  release();
  await dialog.findByRole("img", { name: `QR code of ${UNTAGGED}` });
  const notice = dialog.getByText(/^Amazon's rules forbid affiliate tags offline/);
  const withTag = dialog.getByRole("radio", { name: "Link with your tag" });
  expect(notice.compareDocumentPosition(withTag)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  await user.click(withTag);
  dialog.getByRole("img", { name: `QR code of ${link.shortUrl}` });
  await user.keyboard("{Escape}");
  await click("Copy for email");
  await screen.findByText(/^Copied the link without a tag/);
  expect([await navigator.clipboard.readText(), untagged.length]).toEqual([UNTAGGED, 1]);
});

test("a QR code whose link without a tag cannot be made says so, and shows none until another is chosen", async () => {
  serve("PUT /api/links/abcdefg/untagged", () => failure(503));
  await open();
  await click("Show QR code");
  const dialog = within(await screen.findByRole("dialog"));
  await dialog.findByText("The link without a tag could not be made. Please try again.");
  expect(dialog.queryByRole("img")).toBeNull();
  await user.click(dialog.getByRole("radio", { name: "Link with your tag" }));
  dialog.getByRole("img", { name: `QR code of ${link.shortUrl}` });
  expect(dialog.queryByRole("alert")).toBeNull();
});
