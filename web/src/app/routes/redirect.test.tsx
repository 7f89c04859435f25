import { BUILT_IN_OPENING_TABLE } from "@tapthru/proto/rules/app-opening/built-in-app-opening";
import { buildDeepLink } from "@tapthru/proto/rules/app-opening/redirect-target";
import { cleanup, screen, waitFor } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { catchLogs } from "../../testing/catch-logs.ts";
import { renderApp } from "../../testing/render-app.tsx";
import { server } from "../../testing/server.ts";

const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1";
const WEB_URL = "https://www.amazon.de/dp/B0ZZ1Y2X3W?tag=me-21";
const APP_LINK = "com.amazon.mobile.shopping.web://www.amazon.de/dp/B0ZZ1Y2X3W?tag=me-21";
const { pathname, search } = new URL(buildDeepLink("https://x.example", "B0ZZ1Y2X3W", WEB_URL));
const DEEP_LINK = `${pathname}${search}`;
const METADATA = { title: null, description: null, imageUrl: null, siteName: null };

/** The URLs that the page has navigated to. */
let visitedUrls: string[];

beforeEach(() => {
  visitedUrls = [];
  vi.spyOn(location, "replace").mockImplementation((address) => {
    visitedUrls.push(`${address}`);
  });
  vi.spyOn(location, "href", "set").mockImplementation((address) => {
    visitedUrls.push(address);
  });
  serveTable(BUILT_IN_OPENING_TABLE);
  serveMetadata(METADATA);
});

function serveTable(table: unknown) {
  server.use(http.get("/app-opening.json", () => HttpResponse.json(table as object)));
}

function serveMetadata(metadata: typeof METADATA | Record<string, string | null>) {
  server.use(http.get("/api/metadata", () => HttpResponse.json(metadata)));
}

function mockIphone() {
  vi.spyOn(navigator, "userAgent", "get").mockReturnValue(IPHONE);
}

const meta = (key: string) =>
  document.head.querySelector(`meta[property="${key}"], meta[name="${key}"]`)?.getAttribute("content");
const linkTexts = () => [...document.querySelectorAll("main a")].map(({ textContent }) => textContent);

describe("a desktop", () => {
  // Specification 2.56
  test("goes to the web page at once, and has one button", async () => {
    await renderApp(DEEP_LINK);
    expect((await screen.findByRole("heading")).textContent).toBe("Opening Amazon...");
    expect(visitedUrls).toEqual([WEB_URL]);
    expect(linkTexts()).toEqual(["Open in Web Browser"]);
    expect(
      screen.getByText(
        "If the Amazon app didn't open automatically or opened to the wrong page, please use one of the options below:",
      ),
    ).toBeTruthy();
  });

  test("goes to the start page if the URL is not Amazon's", async () => {
    await renderApp("/redirect?product_id=B0ZZ1Y2X3W&original_url=https%3A%2F%2Fevil.example%2F");
    expect(await screen.findByRole("textbox")).toBeTruthy();
    expect(visitedUrls).toEqual([]);
  });
});

describe("a phone", () => {
  beforeEach(mockIphone);

  // Must run first: a document opens the app only once, and all tests share one document.
  test("follows the served table, in the specification's words also if only a tap opens the app", async () => {
    const rows = BUILT_IN_OPENING_TABLE.rows.map((strategy) => ({ ...strategy, mode: "tap" }));
    serveTable({ ...BUILT_IN_OPENING_TABLE, rows });
    await renderApp(DEEP_LINK);
    await screen.findByRole("heading", { name: "Opening Amazon..." });
    expect(screen.getByText(/didn't open automatically/)).toBeTruthy();
    expect(linkTexts()[0]).toBe("Try Again to Open in Amazon App");
    expect(visitedUrls).toEqual([]);
  });

  test("says how to leave an app that cannot open another", async () => {
    const rows = BUILT_IN_OPENING_TABLE.rows.map((row) => ({ ...row, mode: "tap", escape: "by-hand", open: "web" }));
    serveTable({ ...BUILT_IN_OPENING_TABLE, rows });
    await renderApp(DEEP_LINK);
    expect(await screen.findByText(/first tap the menu/)).toBeTruthy();
    expect(screen.getByText(/didn't open automatically/)).toBeTruthy();
  });

  // Specification 2.4, 2.55, 2.56, 2.57
  test("tries to open the app and shows every choice", async () => {
    await renderApp(DEEP_LINK);
    await screen.findByRole("heading", { name: "Opening Amazon..." });
    expect(visitedUrls).toEqual([APP_LINK]);
    expect(linkTexts()).toEqual([
      "Try Again to Open in Amazon App",
      "Open in Web Browser",
      "Get it from the App Store",
    ]);
    expect(screen.getByText("Don't have the Amazon app?")).toBeTruthy();
  });

  test.each([
    ["is invalid", () => HttpResponse.json({ version: "1", apps: [], rows: [] })],
    ["is not JSON", () => HttpResponse.html("<!doctype html>")],
    ["cannot be loaded", () => HttpResponse.error()],
  ])("uses the built-in table if the served one %s", async (_case, reply) => {
    const warnings = catchLogs("warn");
    server.use(http.get("/app-opening.json", reply));
    await renderApp(DEEP_LINK);
    const link = await screen.findByRole("link", { name: "Try Again to Open in Amazon App" });
    expect(link.getAttribute("href")).toBe(APP_LINK);
    expect(warnings()).toHaveLength(1);
  });
});

describe("title and social tags", () => {
  // Specification 2.53
  test("are the product's, with noindex for crawlers", async () => {
    const imageUrl = "https://m.media-amazon.com/images/I/71abc.jpg";
    serveMetadata({ title: "A lamp", description: "Bright.", imageUrl, siteName: "Amazon.de" });
    await renderApp(DEEP_LINK);
    await waitFor(() => expect(document.title).toBe("A lamp"));
    expect(meta("og:title")).toBe("A lamp");
    expect(meta("og:description")).toBe("Bright.");
    expect(meta("og:image")).toBe(imageUrl);
    expect(meta("og:site_name")).toBe("Amazon.de");
    expect(meta("twitter:title")).toBe("A lamp");
    expect(meta("twitter:image")).toBe(imageUrl);
    expect(meta("robots")).toBe("noindex, nofollow");
  });

  test("replace the site's tags, which are restored afterwards", async () => {
    const siteTag = document.createElement("meta");
    siteTag.setAttribute("property", "og:image:width");
    siteTag.content = "1200";
    document.head.append(siteTag);
    onTestFinished(() => siteTag.remove());
    serveMetadata({ ...METADATA, imageUrl: "https://m.media-amazon.com/images/I/71abc.jpg" });
    await renderApp(DEEP_LINK);
    await waitFor(() => expect(meta("og:image")).toContain("71abc"));
    expect(meta("og:image:width")).toBeUndefined();
    cleanup();
    expect([meta("og:image:width"), meta("og:image"), meta("robots")]).toEqual(["1200", undefined, undefined]);
  });

  // Specification 2.54
  test("name the app and show our image if there is no metadata", async () => {
    await renderApp(DEEP_LINK);
    await waitFor(() => expect(document.title).toBe("Tapthru - Open in Amazon App"));
    expect(meta("og:title")).toBe("Tapthru - Open in Amazon App");
    expect(meta("twitter:title")).toBe("Tapthru - Open in Amazon App");
    expect(meta("twitter:card")).toBe("summary_large_image");
    expect(meta("og:image")).toBe("https://tapthru.example/social-card.png");
    expect([meta("og:image:width"), meta("og:image:height")]).toEqual(["1200", "630"]);
  });

  // Specification 8.27
  test("stay unchanged when metadata fails, which is only logged", async () => {
    const warnings = catchLogs("warn");
    server.use(http.get("/api/metadata", () => new HttpResponse("Unavailable", { status: 503 })));
    await renderApp(DEEP_LINK);
    await waitFor(() => expect(warnings()).toHaveLength(1));
    expect(document.title).toBe("Tapthru - Open in Amazon App");
    expect(screen.queryByRole("alert")).toBeNull();
  });
});
