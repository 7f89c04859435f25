import type { Link, LinkHealth } from "@tapthru/proto/links";
import { getLinkRouting } from "@tapthru/proto/routing";
import { BUILT_IN_OPENING_TABLE } from "@tapthru/proto/rules/app-opening/built-in-app-opening";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { linkOptions } from "../../features/links/get-link.ts";
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
const pencil = (field: "nickname" | "title") => button(field === "title" ? "Edit title" : "Edit name");
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

  test("says that the browser is offline", async () => {
    vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
    serve(GET, () => failure(404));
    await renderPages("/link/abcdefg");
    expect((await screen.findByRole("alert")).textContent).toBe("You're offline. Check your internet connection.");
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

  test("opens by the strategy table of the server, and says so in one sentence", async () => {
    const rows = BUILT_IN_OPENING_TABLE.rows.map((strategy) =>
      strategy.os === "ios" && strategy.app === "browser" ? { ...strategy, mode: "tap" } : strategy,
    );
    serve("GET /app-opening.json", () => ({ ...BUILT_IN_OPENING_TABLE, rows }));
    await open({}, "/opening");
    expect(await screen.findByText(/^Opens the Amazon app on .*; on iPhone one tap is needed\.$/)).toBeTruthy();
  });

  test("offers the QR code, and shows an error in its dialog if the PNG cannot be drawn", async () => {
    await open();
    await click("Show QR code");
    const dialog = within(await screen.findByRole("dialog", { name: "QR code" }));
    const noCanvas = vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue(null);
    onTestFinished(() => noCanvas.mockRestore());
    await click("Download PNG");
    const alert = await dialog.findByRole("alert");
    expect(alert.textContent).toBe("Failed to make the QR code. Please reload the page.");
    expect(toast()).toBeFalsy();
  });

  test("keeps the colours of its QR code for the next one, but offers no code that phones cannot read", async () => {
    await open();
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

  test("goes on after an edit, and begins again at the next visit", async () => {
    serve(PATCH, () => link);
    await openWithout({ imageUrl: null });
    serveLinks([link]);
    await user.click(pencil("nickname"));
    await user.type(input("Name (only you see it)"), "Lamp{Enter}");
    await advanceBy(30_000);
    expect(fetches).toHaveLength(4);
    await user.click(button("< Back to List"));
    await advanceUntil(() => screen.queryByRole("link", { name: "A lamp" }) !== null);
    await user.click(screen.getByRole("link", { name: "A lamp" }));
    await advanceBy(30_000);
    expect(fetches).toHaveLength(7);
  });

  test("ends as soon as title and image are available, and shows them", async () => {
    await openWithout({ title: null, imageUrl: null });
    link = shortLink({ shortCode: "abcdefg", id: 7 });
    await advanceUntil(() => heading()?.textContent === "A lamp");
    await advanceBy(30_000);
    expect(fetches).toHaveLength(2);
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

describe.each([
  {
    field: "nickname",
    label: "Nickname",
    accessibleName: "Name (only you see it)",
    shown: async () => heading()?.textContent,
    failed: "Failed to update link name. Please try again.",
  },
  {
    field: "title",
    label: "Title",
    accessibleName: "Title",
    shown: async () => (await section("Preview")).getByText("A lamp", { exact: false }).textContent,
    failed: "Failed to update link title. Please try again.",
  },
] as const)("editing the $field", ({ field, label, accessibleName, shown, failed }) => {
  const isShown = (text: string) => waitFor(async () => expect(await shown()).toBe(text));

  async function type(text: string) {
    await user.click(pencil(field));
    await user.clear(input(accessibleName));
    if (text) await user.type(input(accessibleName), text);
  }

  // Specification 2.44
  test("shows the new text at once, and closes the form after the server has responded", async () => {
    const { released, release } = heldReplies();
    const sent = serve(PATCH, async () => {
      await released;
      link = { ...link, [field]: "A lamp, red" };
      return link;
    });
    const links = [link];
    const { queries } = serveLinks(links);
    await renderPages("/dashboard");
    await user.click(await findLink("A lamp"));
    await waitFor(() => expect(heading()).toBeTruthy());
    fireEvent.click(pencil(field));
    expect(document.activeElement).toBe(input(accessibleName));
    expect(input(accessibleName).selectionEnd).toBe("A lamp".length);
    await user.clear(input(accessibleName));
    await user.type(input(accessibleName), "  A lamp, red ");
    // The second submission is ignored.
    for (let count = 0; count < 2; count += 1) input(accessibleName).form?.requestSubmit();
    await isShown("A lamp, red");
    await waitFor(() => expect(button("Saving...").getAttribute("aria-disabled")).toBe("true"));
    links[0] = { ...link, [field]: "A lamp, red" };
    release();
    await waitFor(() => expect(screen.queryByRole("textbox")).toBeNull());
    await isShown("A lamp, red");
    expect([document.activeElement, sent]).toEqual([pencil(field), [{ [field]: "A lamp, red" }]]);
    await waitFor(() => expect(fetches).toHaveLength(2));
    await click("< Back to List");
    expect(screen.getByRole("link", { name: "A lamp, red" })).toBeTruthy();
    await waitFor(() => expect(queries).toHaveLength(2));
  });

  // Specification 8.21
  test("is rolled back when the server refuses, and the form, which stays open meanwhile, keeps the text", async () => {
    const { released, release } = heldReplies();
    serve(PATCH, () => released.then(() => failure(500)));
    await open();
    await type("A lamp, red");
    await user.keyboard("{Enter}");
    await isShown("A lamp, red");
    await user.keyboard("{Escape}");
    await user.click(pencil(field));
    release();
    expect(await findToast(failed)).toBe(`Error${failed}`);
    await isShown("A lamp");
    expect(input(accessibleName).value).toBe("A lamp, red");
  });

  test("of a link deleted in another tab says so and leads back to the list", async () => {
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
  test("rejects a blank and a long text at the field without a request, and is cancelled after a question", async () => {
    const sent = serve(PATCH, () => failure(500));
    await open();
    await user.click(pencil(field));
    for (const [text, message] of [
      ["   ", `${label} is required`],
      ["x".repeat(201), `${label} must be at most 200 characters`],
    ] as const) {
      await user.clear(input(accessibleName));
      await user.paste(text);
      await click("Save");
      await screen.findByText(message);
      expect(input(accessibleName).getAttribute("aria-invalid")).toBe("true");
      expect(document.activeElement).toBe(input(accessibleName));
    }
    expect(sent).toEqual([]);
    await user.click(pencil(field));
    await answer("Discard");
    expect(screen.queryByRole("textbox")).toBeNull();
    expect(document.activeElement).toBe(pencil(field));
    await isShown("A lamp");
  });
});

describe("deleting", () => {
  /** @returns how many requests were sent */
  async function deleteLink(reply: () => unknown) {
    const sent = serve("DELETE /api/links/7", reply);
    await open();
    await click("Delete");
    expect(question().getByText(/^Are you sure you want to delete this link\?/)).toBeTruthy();
    const confirm = question().getByRole("button", { name: "Delete" });
    confirm.click();
    confirm.click();
    return sent;
  }

  // Specification 2.50, 2.51
  test("sends one request, and then shows a toast and goes to the dashboard, which offers no 'Undo'", async () => {
    const { released, release } = heldReplies();
    serveLinks([link, shortLink({ id: 3, title: "A chair" })]);
    const sent = await deleteLink(async () => {
      await released;
      serveLinks([shortLink({ id: 3, title: "A chair" })]);
      return { id: 7, shortCode: "abcdefg" };
    });
    expect(await screen.findByRole("button", { name: "One moment..." })).toBeTruthy();
    expect(toast()).toBeUndefined();
    release();
    expect(await findToast("Link deleted")).toContain("The link has been successfully deleted.");
    expect(await findLink("A chair")).toBeTruthy();
    expect(screen.queryByRole("link", { name: "A lamp" })).toBeNull();
    expect(screen.queryByRole("button", { name: "Undo" })).toBeNull();
    expect(sent).toHaveLength(1);
  });

  // Specification 8.20
  test("shows an error and keeps the link when it fails, which it does not if it was deleted elsewhere", async () => {
    serveLinks([link]);
    await deleteLink(() => failure());
    await findToast("ErrorFailed to delete the link. Please try again.");
    expect(heading()?.textContent).toBe("A lamp");
    expect(document.activeElement).toBe(button("Delete"));
    serve("DELETE /api/links/7", () => failure(404));
    await click("Delete");
    await answer("Delete");
    await findToast("Link deleted");
  });
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

  async function openCard(tab = "") {
    await open({}, tab);
    return section("Health");
  }

  /** @param health what the link has after the check */
  function serveCheck(health: Partial<LinkHealth>) {
    serve("POST /api/links/abcdefg/check", () => {
      link = { ...link, health: { ...link.health, ...health } };
      return { isQueued: true };
    });
  }

  test("does not repeat the warning about a missing tag", async () => {
    const webUrl = "https://www.amazon.com/dp/B0CX23V2ZK";
    link = { ...link, webUrl, health: { ...GONE, state: "tag-missing" } };
    const card = await openCard("/settings");
    expect(card.getByText(/^Add your tag, or change the destination/)).toBeTruthy();
    expect(screen.getAllByText(/^This link has no tag, so you earn nothing/)).toHaveLength(1);
  });

  test.each([{ takenDown: true }, { invalid: true, webUrl: "", deepLink: "" }])(
    "is not shown of a link that cannot be opened: %j",
    async (changes) => {
      await open(changes);
      expect(screen.queryByRole("heading", { name: "Health" })).toBeNull();
      expect(screen.queryByText("Product gone")).toBeNull();
    },
  );

  test.each([
    ["on the overview, that nothing is wrong any more", "", "product-gone", "ok", /^Everything works/],
    ["on the settings, that something is wrong", "/settings", "ok", "product-gone", /^Amazon no longer/],
  ] as const)("is new after 'Check now': %s", async (_case, tab, before, after, text) => {
    link.health = { ...GONE, state: before };
    const card = await openCard(tab);
    serveCheck({ state: after, checkedAt: LATER, attemptedAt: LATER });
    await click("Check now");
    expect(await card.findByText("Checked just now.")).toBeTruthy();
    expect(card.getByText(text)).toBeTruthy();
    expect(card.getByRole("button", { name: "Check now" })).toBeTruthy();
  });

  test("is not known if Amazon does not respond", async () => {
    const card = await openCard();
    serveCheck({ attemptedAt: LATER });
    await click("Check now");
    expect(await card.findByText("Amazon did not respond. We try again later.")).toBeTruthy();
  });

  test("is a badge in the list", async () => {
    const states = ["product-gone", "redirected-elsewhere", "tag-malformed", "out-of-stock"] as const;
    serveLinks(states.map((state, n) => shortLink({ id: 9 - n, health: { ...GONE, state } })));
    await renderPages("/dashboard");
    for (const badge of ["Product gone", "Redirected", "Check the tag", "Out of stock"]) {
      expect(await screen.findByText(badge)).toBeTruthy();
    }
  });
});

describe("the tag", () => {
  const WITH_ONELINK =
    "This looks like a tag for amazon.com. It earns on amazon.de only if you set up Amazon OneLink there.";

  test.each([
    [["me-21"], "This tag is kept in the app and in every browser."],
    [["me-21", "you-21"], "This link has more than one tag, and Amazon lets a link have one. Please choose it."],
    [["me-20"], WITH_ONELINK],
    [["me-22"], "Tags for amazon.de usually end in -21. A tag earns only in the store it was issued for."],
    [["me"], "Tags usually end in a hyphen and a number from 20 to 23. Please check it for typing mistakes."],
    [["maas"], "This is an Amazon Attribution tag. It reports to a seller and is not an Associates tag."],
  ])("%j is checked", async (tags, message) => {
    const webUrl = `${DP}?${tags.map((tag) => `tag=${tag}`).join("&")}`;
    await open({ originalUrl: webUrl, webUrl });
    // One with a warning is shown at once.
    if (/^This (tag|is)/.test(message)) await click(tags[0] ?? "");
    const card = await section("Tag");
    expect(card.getAllByRole("paragraph")[0]?.textContent).toBe(tags.join("") + message);
    // Of the US tag, the owner can say more.
    const stores = card.queryByRole("link", { name: /stores that OneLink serves$/ });
    expect(stores?.getAttribute("href")).toBe(message === WITH_ONELINK ? "/account/stores" : undefined);
  });

  test("that is missing has a warning above the cards, and is given to all links without one", async () => {
    const changes = serve("PUT /api/channels/1/tags", ({ body }) => body);
    serve("GET /api/link-ids", () => [7, 8]);
    const changed = serve("PUT /api/links/bulk/channel", () => ({ results: [] }));
    await open({ originalUrl: DP, webUrl: DP });
    const warning = screen.getByText("This link has no tag, so you earn nothing from purchases.");
    const preview = screen.getByRole("heading", { name: "Preview" });
    expect(warning.compareDocumentPosition(preview)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    expect(screen.queryByRole("heading", { name: "Tag" })).toBeNull();
    await user.type(await screen.findByRole("textbox", { name: "Your tag for amazon.de" }), "me-21{Enter}");
    await findToast("SuccessYour links to amazon.de without a tag get this one.");
    expect(changes).toEqual([{ marketplace: "de", tag: "me-21" }]);
    expect(changed).toEqual([{ ids: [7, 8], channelId: null, usesChannelTag: true }]);
    await user.click(screen.getByRole("link", { name: "Opening" }));
    expect(screen.getByRole("heading", { name: "How will this open?" })).toBeTruthy();
    expect(screen.queryByText(/^As an Amazon Associate/)).toBeNull();
  });
});

test("the QR code and the copy for emails are of one link without tag, made when it is first wanted", async () => {
  const UNTAGGED = "https://tapthru.example/l/abcdefg-print";
  const untagged = serve("PUT /api/links/abcdefg/untagged", () => {
    link = { ...link, untaggedUrl: UNTAGGED };
    return link;
  });
  await open();
  await click("Show QR code");
  const dialog = within(await screen.findByRole("dialog"));
  dialog.getByText(/^Amazon's rules refuse affiliate tags offline/);
  dialog.getByText(link.shortUrl);
  expect(untagged).toEqual([]);
  await user.click(dialog.getByRole("radio", { name: "Link without tag" }));
  await dialog.findByText(UNTAGGED);
  await user.click(dialog.getByRole("radio", { name: "Link with your tag" }));
  dialog.getByText(link.shortUrl);
  await user.keyboard("{Escape}");
  await click("Copy for email");
  await screen.findByText(/^Copied the link without tag/);
  expect([await navigator.clipboard.readText(), untagged.length]).toEqual([UNTAGGED, 1]);
});
