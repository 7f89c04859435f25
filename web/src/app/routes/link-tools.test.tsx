import type { Link } from "@tapthru/proto/links";
import { BUILT_IN_OPENING_TABLE } from "@tapthru/proto/rules/app-opening/built-in-app-opening";
import { screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { linkReply as generated, serveReplies } from "../../testing/generate-server.ts";
import { shortLink } from "../../testing/links-server.ts";
import { renderApp } from "../../testing/render-app.tsx";
import { renderPages } from "../../testing/render-pages.tsx";
import { server } from "../../testing/server.ts";
import { findToast, toast } from "../../testing/toast.ts";

let user: ReturnType<typeof userEvent.setup>;

beforeEach(() => {
  user = userEvent.setup();
});

async function openDetails(changes: Partial<Link> = {}, tab = "") {
  const link = shortLink({ shortCode: "abcdefg", ...changes });
  server.use(http.get("/api/links/abcdefg", () => HttpResponse.json(link)));
  await renderPages(`/link/abcdefg${tab}`);
  await screen.findByRole("navigation", { name: "Parts of this link's page" });
}

const openOpening = () => openDetails({}, "/opening");

async function openResult(url: string) {
  serveReplies("/api/generate", generated({ originalUrl: url }));
  await renderApp();
  await user.click(screen.getByRole("textbox"));
  await user.paste(url);
  return within(await screen.findByRole("region", { name: "Your short link" }));
}

/** Adds navigator.share for this test. */
function stubShare(share: (data: ShareData) => Promise<void>) {
  Object.defineProperty(navigator, "share", { value: share, configurable: true });
  onTestFinished(() => {
    Reflect.deleteProperty(navigator, "share");
  });
}

const card = (title: string) => within(screen.getByRole("heading", { name: title }).closest("section") as HTMLElement);
const button = (name: string) => screen.getByRole("button", { name });

const DP = "https://www.amazon.de/dp/B0ZZ1Y2X3W";

describe("the tag", () => {
  const MISSING = "This link has no tag, so you earn nothing from purchases.";
  const TAGS: [string, string][] = [
    [`${DP}?tag=me-21`, "me-21This tag is kept in the app and in every browser."],
    [
      `${DP}?tag=me-21&tag=you-21`,
      "me-21you-21This link has more than one tag, and Amazon doesn't say which one counts.",
    ],
    [
      `${DP}?tag=me-20`,
      "me-20This looks like a tag for amazon.com. It earns on amazon.de only if you set up Amazon OneLink there.",
    ],
    [`${DP}?tag=me-22`, "me-22Tags for amazon.de usually end in -21. A tag earns only in the store it was issued for."],
    [`${DP}?tag=me`, "meTags usually end in a hyphen and a number from 20 to 23. Please check it for typing mistakes."],
    [`${DP}?tag=maas`, "maasThis is an Amazon Attribution tag. It reports to a seller and is not an Associates tag."],
  ];

  test.each(TAGS)("of %s is checked on the details page", async (webUrl, message) => {
    await openDetails({ originalUrl: webUrl, webUrl });
    expect(card("Affiliate tag").getAllByRole("paragraph")[0]?.textContent).toBe(message);
  });

  test("of the US is not certain in a store of OneLink, where the owner can say more", async () => {
    const webUrl = `${DP}?tag=me-20`;
    await openDetails({ originalUrl: webUrl, webUrl });
    const stores = card("Affiliate tag").getByRole("link", { name: /stores that OneLink serves$/ });
    expect(stores.getAttribute("href")).toBe("/account/stores");
  });

  test("that is missing has a warning above the cards, and no disclosures", async () => {
    await openDetails({ originalUrl: DP, webUrl: DP });
    const warning = screen.getByText(MISSING);
    const preview = screen.getByRole("heading", { name: "Preview" });
    expect(warning.compareDocumentPosition(preview)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    expect(screen.queryByRole("heading", { name: "Affiliate tag" })).toBeNull();
    await user.click(screen.getByRole("link", { name: "Opening" }));
    expect(screen.getByRole("heading", { name: "How will this open?" })).toBeTruthy();
    expect(screen.queryByText(/^As an Amazon Associate/)).toBeNull();
  });

  test("that is missing is asked for if the channel has none, and is given to all links without one", async () => {
    const changes: unknown[] = [];
    const record = async ({ request }: { request: Request }) => {
      const body = await request.json();
      changes.push(body);
      return HttpResponse.json(changes.length === 1 ? body : { results: [] });
    };
    server.use(
      http.put("/api/channels/1/tags", record),
      http.get("/api/link-ids", () => HttpResponse.json([7, 8])),
      http.put("/api/links/bulk/channel", record),
    );
    await openDetails({ originalUrl: DP, webUrl: DP });
    await user.type(await screen.findByRole("textbox", { name: "Your Associates tag for amazon.de" }), "me-21{Enter}");
    await findToast("SuccessYour links to amazon.de without a tag get this one.");
    expect(changes).toEqual([
      { marketplace: "de", tag: "me-21" },
      { ids: [7, 8], channelId: null, usesChannelTag: true },
    ]);
  });
});

describe("how a link opens", () => {
  test("in one sentence", async () => {
    await openOpening();
    expect(card("How will this open?").getAllByRole("paragraph")[0]?.textContent).toBe(
      "Opens the Amazon app on iPhone and Android; in some apps one tap is needed, for example in TikTok, and on iPhone in Instagram and Facebook.",
    );
  });

  test("by the strategy table of the server", async () => {
    const rows = BUILT_IN_OPENING_TABLE.rows.map((strategy) =>
      strategy.os === "ios" && strategy.app === "browser" ? { ...strategy, mode: "tap" as const } : strategy,
    );
    server.use(http.get("/app-opening.json", () => HttpResponse.json({ ...BUILT_IN_OPENING_TABLE, rows })));
    await openOpening();
    expect(await screen.findByText(/; on iPhone one tap is needed\.$/)).toBeTruthy();
  });
});

describe("sharing", () => {
  test("passes name and short link to the system", async () => {
    const share = vi.fn(async () => {});
    stubShare(share);
    await openDetails({ nickname: "My lamp" });
    await user.click(button("Share link"));
    expect(share).toHaveBeenCalledWith({
      title: "My lamp",
      url: "https://tapthru.example/l/abcdefg",
    });
  });

  test("is not offered for a new link if the browser does not support it", async () => {
    const result = await openResult(`${DP}?tag=me-21`);
    expect(result.queryByRole("button", { name: "Share link" })).toBeNull();
    expect(result.getByRole("button", { name: "Show QR code" })).toBeTruthy();
  });

  test("shows an error only if it fails, not if it is cancelled or already open", async () => {
    const share = vi.fn<() => Promise<void>>();
    share.mockRejectedValueOnce(new DOMException("Open already", "InvalidStateError"));
    share.mockRejectedValueOnce(new DOMException("Closed", "AbortError"));
    share.mockRejectedValueOnce(new DOMException("Refused", "NotAllowedError"));
    stubShare(share);
    await openDetails();
    await user.dblClick(button("Share link"));
    expect(toast()).toBeFalsy();
    await user.click(button("Share link"));
    await findToast("ErrorFailed to share link. Please try again.");
  });
});

describe("the QR code", () => {
  test("opens, warns about the tag, and closes", async () => {
    await openDetails();
    await user.click(button("Show QR code"));
    const dialog = within(await screen.findByRole("dialog", { name: "QR code" }));
    expect(dialog.getByRole("img", { name: "QR code of https://tapthru.example/l/abcdefg" })).toBeTruthy();
    expect(dialog.getByText(/^Amazon's rules refuse affiliate tags/)).toBeTruthy();
    await user.click(dialog.getByRole("button", { name: "Close" }));
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  test("shows an error in the dialog if the PNG cannot be drawn", async () => {
    await openDetails();
    await user.click(button("Show QR code"));
    const dialog = within(await screen.findByRole("dialog", { name: "QR code" }));
    const noCanvas = vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue(null);
    onTestFinished(() => noCanvas.mockRestore());
    await user.click(dialog.getByRole("button", { name: "Download PNG" }));
    const alert = await dialog.findByRole("alert");
    expect(alert.textContent).toBe("Failed to make the QR code. Please reload the page.");
    expect(toast()).toBeFalsy();
  });
});
