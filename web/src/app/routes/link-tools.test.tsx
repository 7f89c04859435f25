import type { Link } from "@tapthru/proto/http/links";
import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { link as generated, serveReplies } from "../../testing/generate-server.ts";
import { shortLink } from "../../testing/links-server.ts";
import { renderApp } from "../../testing/render-app.tsx";
import { renderPages } from "../../testing/render-pages.tsx";
import { server } from "../../testing/server.ts";
import { toast } from "../../testing/toast.ts";

let user: ReturnType<typeof userEvent.setup>;

beforeEach(() => {
  user = userEvent.setup();
});

async function openDetails(changes: Partial<Link> = {}) {
  const link = shortLink({ shortCode: "abcdefg", ...changes });
  server.use(http.get("/api/links/abcdefg", () => HttpResponse.json(link)));
  await renderPages("/link/abcdefg");
  await screen.findByRole("button", { name: "Delete" });
}

async function openResult(url: string) {
  serveReplies("/api/generate", generated({ originalUrl: url }));
  await renderApp();
  await user.click(screen.getByRole("textbox"));
  await user.paste(url);
  return within(await screen.findByRole("region", { name: "Your short link" }));
}

/** Gives the browser a share sheet for this test. */
function offerSharing(share: (data: ShareData) => Promise<void>) {
  Object.defineProperty(navigator, "share", { value: share, configurable: true });
  onTestFinished(() => {
    Reflect.deleteProperty(navigator, "share");
  });
}

const card = (title: string) =>
  within(screen.getByRole("heading", { name: title }).closest("section") as HTMLElement);
const button = (name: string) => screen.getByRole("button", { name });
const addresses = () =>
  [...document.querySelectorAll("code")].map(({ textContent }) => textContent);
const marks = () => [...document.querySelectorAll("mark")].map(({ textContent }) => textContent);

const DP = "https://www.amazon.de/dp/B0ZZ1Y2X3W";

describe("the tag", () => {
  const TAGS: [string, string][] = [
    [`${DP}?tag=me-21`, "me-21It stays on the link in the app and in every browser."],
    [DP, "This link has no tag, so purchases through it earn you nothing."],
    [
      `${DP}?tag=me-21&tag=you-21`,
      "me-21you-21This link has more than one tag, and Amazon does not say which of them counts.",
    ],
    [
      `${DP}?tag=me-20`,
      "me-20Tags for amazon.de usually end in -21. A tag earns only in the store it was issued for.",
    ],
    [
      `${DP}?tag=me`,
      "meTags usually end in a hyphen and a number from 20 to 23. Please check it for typing mistakes.",
    ],
    [
      `${DP}?tag=maas`,
      "maasThis is Amazon Attribution: it reports to a seller and is no associate's tag.",
    ],
  ];

  test.each(TAGS)("of %s is judged on the link's page", async (webUrl, saying) => {
    await openDetails({ originalUrl: webUrl, webUrl });
    expect(card("Affiliate tag").getAllByRole("paragraph")[0]?.textContent).toBe(saying);
  });

  test.each(TAGS)("of %s is judged when the link is made", async (url, saying) => {
    const result = await openResult(url);
    const sayings = result.getAllByRole("paragraph").map(({ textContent }) => textContent);
    expect(sayings).toContain(saying);
  });

  test("has its disclosures to copy", async () => {
    await openDetails();
    await user.click(button('Copy "As an Amazon Associate I earn from qualifying purchases."'));
    expect(await navigator.clipboard.readText()).toBe(
      "As an Amazon Associate I earn from qualifying purchases.",
    );
    await waitFor(() => expect(toast()).toBe("Copied!Text copied to clipboard"));
    await user.click(button('Copy "#ad"'));
    expect(await navigator.clipboard.readText()).toBe("#ad");
  });

  test("that is missing discloses nothing", async () => {
    await openDetails({ originalUrl: DP, webUrl: DP });
    expect(screen.queryByText(/^As an Amazon Associate/)).toBeNull();
  });
});

describe("how a link opens", () => {
  const APP = "com.amazon.mobile.shopping.web://www.amazon.de/dp/B0ZZ1Y2X3W?tag=me-21";
  const WEB = `${DP}?tag=me-21`;
  const choose = (app: string) => user.selectOptions(screen.getByLabelText("Tapped in"), app);

  test("on an iPhone by itself, with the tag marked in each address", async () => {
    await openDetails();
    expect(addresses()).toEqual([APP, WEB]);
    expect(marks()).toEqual(["tag=me-21", "tag=me-21"]);
    expect(screen.getByText(/^Tries the Amazon app by itself/)).toBeTruthy();
  });

  test("in Instagram and TikTok on an iPhone by a tap, with a way out", async () => {
    await openDetails();
    await choose("Instagram");
    const out = encodeURIComponent("https://tapthru.example/l/abcdefg?tt_esc=1");
    expect(addresses()).toEqual([APP, WEB, `instagram://extbrowser/?url=${out}`]);
    expect(screen.getByText(/^Waits for a tap/)).toBeTruthy();
    await choose("TikTok");
    const safari = "x-safari-https://tapthru.example/l/abcdefg?tt_esc=1";
    expect(addresses()).toEqual([WEB, APP, safari]);
  });

  test("on Android by an intent, in the app that was chosen before", async () => {
    await openDetails();
    await choose("Facebook");
    await user.click(screen.getByRole("radio", { name: "Android" }));
    expect(screen.getByLabelText<HTMLSelectElement>("Tapped in").value).toBe("Facebook");
    expect(addresses()).toEqual([
      `intent://www.amazon.de/dp/B0ZZ1Y2X3W?tag=me-21#Intent;scheme=https;package=com.amazon.mShop.android.shopping;S.browser_fallback_url=${encodeURIComponent(WEB)};end`,
      WEB,
    ]);
    expect(marks()).toEqual(["tag=me-21", "tag%3Dme-21", "tag=me-21"]);
  });

  test("on a desktop at the original page", async () => {
    await openDetails();
    await user.click(screen.getByRole("radio", { name: "Desktop" }));
    expect(addresses()).toEqual([WEB]);
    expect(screen.queryByLabelText("Tapped in")).toBeNull();
  });

  test("in WeChat by its own menu", async () => {
    await openDetails();
    await choose("WeChat");
    expect(screen.getByText(/choose "Open in browser"/)).toBeTruthy();
  });

  test("is not told of a link that was taken down, nor is it shared", async () => {
    offerSharing(async () => {});
    await openDetails({ takenDown: true });
    expect(screen.queryByRole("heading", { name: "How will this open?" })).toBeNull();
    expect(screen.queryByRole("button", { name: "Share link" })).toBeNull();
    expect(screen.queryByRole("button", { name: "Show QR code" })).toBeNull();
  });
});

describe("sharing", () => {
  test("hands name and short link to the system", async () => {
    const share = vi.fn(async () => {});
    offerSharing(share);
    await openDetails({ nickname: "My lamp" });
    await user.click(button("Share link"));
    expect(share).toHaveBeenCalledWith({
      title: "My lamp",
      url: "https://tapthru.example/l/abcdefg",
    });
  });

  test("is there for a new link too, and not where the browser cannot", async () => {
    const result = await openResult(`${DP}?tag=me-21`);
    expect(result.queryByRole("button", { name: "Share link" })).toBeNull();
    expect(result.getByRole("button", { name: "Show QR code" })).toBeTruthy();
  });

  test("that is given up or asked for twice says nothing; one that fails does", async () => {
    const share = vi.fn<() => Promise<void>>();
    share.mockRejectedValueOnce(new DOMException("Open already", "InvalidStateError"));
    share.mockRejectedValueOnce(new DOMException("Closed", "AbortError"));
    share.mockRejectedValueOnce(new DOMException("Refused", "NotAllowedError"));
    offerSharing(share);
    await openDetails();
    await user.dblClick(button("Share link"));
    expect(toast()).toBeFalsy();
    await user.click(button("Share link"));
    await waitFor(() => expect(toast()).toBe("ErrorFailed to share link. Please try again."));
  });
});

describe("the QR code", () => {
  test("opens on request, warns of its tag, and closes", async () => {
    await openDetails();
    await user.click(button("Show QR code"));
    const dialog = within(await screen.findByRole("dialog", { name: "QR code" }));
    expect(
      dialog.getByRole("img", { name: "QR code of https://tapthru.example/l/abcdefg" }),
    ).toBeTruthy();
    expect(dialog.getByText(/^Amazon's help does not allow links with a tag/)).toBeTruthy();
    await user.click(dialog.getByRole("button", { name: "Close" }));
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  test("of a link without a tag warns of nothing", async () => {
    await openDetails({ originalUrl: DP, webUrl: DP });
    await user.click(button("Show QR code"));
    const dialog = within(await screen.findByRole("dialog", { name: "QR code" }));
    expect(dialog.queryByText(/^Amazon's help/)).toBeNull();
  });

  test("that cannot be drawn is told within the dialog, which no toast would reach", async () => {
    await openDetails();
    await user.click(button("Show QR code"));
    const dialog = within(await screen.findByRole("dialog", { name: "QR code" }));
    const noCanvas = vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue(null);
    onTestFinished(() => noCanvas.mockRestore());
    await user.click(dialog.getByRole("button", { name: "Download PNG" }));
    const alert = await dialog.findByRole("alert");
    expect(alert.textContent).toBe("Failed to make the QR code. Please try again.");
    expect(toast()).toBeFalsy();
  });
});
