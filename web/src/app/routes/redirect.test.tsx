import { BUILT_IN_OPENING_TABLE } from "@tapthru/proto/rules/app-opening/built-in-app-opening";
import { buildDeepLink } from "@tapthru/proto/rules/app-opening/redirect-target";
import { cleanup, screen, waitFor } from "@testing-library/react";
import { HttpResponse } from "msw";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { catchLogs } from "../../testing/catch-logs.ts";
import { heading, link, textsOf } from "../../testing/controls.ts";
import { renderApp } from "../../testing/render-app.tsx";
import { failure, serve } from "../../testing/serve.ts";

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
  const visit = (address: string | URL) => void visitedUrls.push(`${address}`);
  vi.spyOn(location, "replace").mockImplementation(visit);
  vi.spyOn(location, "href", "set").mockImplementation(visit);
  serve("GET /api/metadata", () => METADATA);
});

const serveRows = (changes: object) =>
  serve("GET /app-opening.json", () => ({
    ...BUILT_IN_OPENING_TABLE,
    rows: BUILT_IN_OPENING_TABLE.rows.map((row) => ({ ...row, ...changes })),
  }));
const meta = (key: string) =>
  document.head.querySelector(`meta[property="${key}"], meta[name="${key}"]`)?.getAttribute("content");
const linkTexts = () => textsOf([...document.querySelectorAll("main a")]);

describe("a desktop", () => {
  // Specification 2.56
  test("goes to the web page at once, and has one button", async () => {
    await renderApp(DEEP_LINK);
    expect(await heading("Opening Amazon...")).toBeTruthy();
    expect([visitedUrls, linkTexts()]).toEqual([[WEB_URL], ["Open in Web Browser"]]);
    const hint =
      "If the Amazon app didn't open automatically or opened to the wrong page, please use one of the options below:";
    expect(screen.getByText(hint)).toBeTruthy();
  });

  test("goes to the start page if the URL is not Amazon's", async () => {
    await renderApp("/redirect?product_id=B0ZZ1Y2X3W&original_url=https%3A%2F%2Fevil.example%2F");
    expect(await screen.findByRole("textbox")).toBeTruthy();
    expect(visitedUrls).toEqual([]);
  });
});

describe("a phone", () => {
  beforeEach(() => {
    vi.spyOn(navigator, "userAgent", "get").mockReturnValue(IPHONE);
  });

  // Must run first: a document opens the app only once, and all tests share one document.
  test("follows the served table, in the specification's words also if only a tap opens the app", async () => {
    serveRows({ mode: "tap" });
    await renderApp(DEEP_LINK);
    await heading("Opening Amazon...");
    expect(screen.getByText(/didn't open automatically/)).toBeTruthy();
    expect(document.querySelector(".animate-show-late")).toBeNull();
    expect(linkTexts()[0]).toBe("Try Again to Open in Amazon App");
    expect(visitedUrls).toEqual([]);
  });

  test("says how to leave an app that cannot open another", async () => {
    serveRows({ mode: "tap", escape: "by-hand", open: "web" });
    await renderApp(DEEP_LINK);
    expect(await screen.findByText(/first tap the menu/)).toBeTruthy();
    expect(screen.getByText(/didn't open automatically/)).toBeTruthy();
  });

  // Specification 2.4, 2.55, 2.56, 2.57
  test("tries to open the app and shows every choice", async () => {
    await renderApp(DEEP_LINK);
    await heading("Opening Amazon...");
    expect(screen.getByText(/didn't open automatically/).closest(".animate-show-late")).toBeTruthy();
    const choices = ["Try Again to Open in Amazon App", "Open in Web Browser", "Get it from the App Store"];
    expect([visitedUrls, linkTexts()]).toEqual([[APP_LINK], choices]);
    expect(screen.getByText("Don't have the Amazon app?")).toBeTruthy();
  });

  test.each([
    ["is invalid", () => ({ version: "1", apps: [], rows: [] })],
    ["is not JSON", () => HttpResponse.html("<!doctype html>")],
    ["cannot be loaded", () => HttpResponse.error()],
  ])("uses the built-in table if the served one %s", async (_case, reply) => {
    const warnings = catchLogs("warn");
    serve("GET /app-opening.json", reply);
    await renderApp(DEEP_LINK);
    expect((await link("Try Again to Open in Amazon App")).getAttribute("href")).toBe(APP_LINK);
    expect(warnings()).toHaveLength(1);
  });
});

describe("title and social tags", () => {
  const IMAGE = "https://m.media-amazon.com/images/I/71abc._SL600_.jpg";

  // Specification 2.53
  test("title and social tags name the product, with noindex for crawlers", async () => {
    const product = { title: "A lamp", description: "Bright.", imageUrl: IMAGE, siteName: "Amazon.de" };
    serve("GET /api/metadata", () => product);
    await renderApp(DEEP_LINK);
    await waitFor(() => expect(document.title).toBe("A lamp"));
    expect(["og:title", "og:description", "og:image", "og:site_name"].map(meta)).toEqual([
      "A lamp",
      "Bright.",
      IMAGE,
      "Amazon.de",
    ]);
    expect(["twitter:title", "twitter:image", "robots"].map(meta)).toEqual(["A lamp", IMAGE, "noindex, nofollow"]);
  });

  test("replaces the site's tags, and restores them afterwards", async () => {
    const siteTag = document.createElement("meta");
    siteTag.setAttribute("property", "og:image:width");
    siteTag.content = "1200";
    document.head.append(siteTag);
    onTestFinished(() => siteTag.remove());
    serve("GET /api/metadata", () => ({ ...METADATA, imageUrl: IMAGE }));
    await renderApp(DEEP_LINK);
    await waitFor(() => expect(meta("og:image")).toContain("71abc"));
    expect(meta("og:image:width")).toBeUndefined();
    cleanup();
    expect(["og:image:width", "og:image", "robots"].map(meta)).toEqual(["1200", undefined, undefined]);
  });

  // Specification 2.54, 8.27
  test.each([
    ["there is no metadata", () => METADATA, 0],
    ["metadata fails, which is only logged", () => failure(), 1],
  ])("names the app and shows our image if %s", async (_case, reply, warningCount) => {
    const warnings = catchLogs("warn");
    const requests = serve("GET /api/metadata", reply);
    await renderApp(DEEP_LINK);
    const title = "Tapthru - Open in Amazon App";
    await waitFor(() => expect([document.title, requests.length]).toEqual([title, 1]));
    if (warningCount > 0) await waitFor(() => expect(vi.mocked(console.warn)).toHaveBeenCalled());
    expect(["og:title", "twitter:title", "twitter:card", "og:image"].map(meta)).toEqual([
      title,
      title,
      "summary_large_image",
      "https://tapthru.example/social-card.png",
    ]);
    expect(["og:image:width", "og:image:height"].map(meta)).toEqual(["1200", "630"]);
    expect(warnings()).toHaveLength(warningCount);
    expect(screen.queryByRole("alert")).toBeNull();
  });
});
