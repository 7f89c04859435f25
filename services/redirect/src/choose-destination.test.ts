import type { Device } from "@tapthru/proto/rules/agents/agent";
import { chooseStrategy } from "@tapthru/proto/rules/app-opening/app-opening";
import { BUILT_IN_OPENING_TABLE as TABLE } from "@tapthru/proto/rules/app-opening/built-in-app-opening";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { appPageFor, chooseDestination as choose } from "./choose-destination.ts";
import type { LiveLink, Lookup } from "./link.ts";
import type { Visitor } from "./visitor.ts";

const NOW = 1_800_000_000_000;
const LINK: LiveLink = {
  state: "live",
  revision: 1,
  webUrl: "https://www.amazon.de/-/en/Lampe/dp/B000000001/ref=x?tag=me-21&q='a%20b'",
  marketplace: "de",
  routed: null,
  expiresAt: null,
  title: null,
  description: null,
  imageUrl: null,
  siteName: null,
};
const SCHEMELESS = LINK.webUrl.slice("https://".length);

const SHORT_URL = "https://go.example/l/abc2345";

function visitor(device: Device, rest: Partial<Visitor> = {}, app = "browser"): Visitor {
  const agent = { device, app, appVersion: null };
  const strategy = chooseStrategy(TABLE, agent);
  const opening = strategy && { strategy, tableVersion: TABLE.version };
  return {
    client: { ...agent, agentClass: "person", opening, canary: null },
    isPrefetch: false,
    isProxiedPrefetch: false,
    isEscaped: false,
    query: "",
    ...rest,
  };
}

/** The decision, with the page that opens the app. */
function chooseDestination(lookup: Lookup, visitor: Visitor, now: number, country = "unknown") {
  const decision = choose(lookup, { visitor, now, country });
  if (decision.kind !== "app-page") return decision;
  return { kind: decision.kind, page: appPageFor(decision, SHORT_URL), title: decision.link.title };
}

describe("chooseDestination", () => {
  it.each(["desktop", "bot", "http-library"] as const)("redirects a %s to exactly the link's address", (device) => {
    expect(chooseDestination(LINK, visitor(device), NOW)).toEqual({
      kind: "redirect",
      link: LINK,
      route: null,
      location: LINK.webUrl,
    });
  });

  it("gives an assistant the address without the tag, unless the owner allows it", () => {
    const link = { ...LINK, webUrl: "https://www.amazon.de/dp/B000000001?tag=me-21&th=1" };
    const locationOf = (assistantsGetTag?: boolean) => {
      const asked = { ...link, assistantsGetTag };
      const assistant = visitor("assistant", { query: "utm_source=chatgpt.com&tag=evil-21" });
      return chooseDestination(asked, assistant, NOW);
    };
    expect(locationOf()).toMatchObject({
      location: "https://www.amazon.de/dp/B000000001?th=1&utm_source=chatgpt.com",
    });
    expect(locationOf(true)).toMatchObject({ location: `${link.webUrl}&utm_source=chatgpt.com` });
  });

  it("shows iOS the page with the app's scheme and the App Store", () => {
    expect(chooseDestination(LINK, visitor("ios"), NOW)).toEqual({
      kind: "app-page",
      page: {
        strategy: expect.objectContaining({ id: "browser-ios" }),
        tableVersion: TABLE.version,
        escapeUrl: null,
        appLink: `com.amazon.mobile.shopping.web://${SCHEMELESS}`,
        webUrl: LINK.webUrl,
        storeUrl: "https://apps.apple.com/app/id297606951",
        isAutomatic: true,
        routed: null,
      },
      title: LINK.title,
    });
  });

  it("shows Android the page with an intent and Google Play", () => {
    expect(chooseDestination(LINK, visitor("android"), NOW)).toEqual({
      kind: "app-page",
      page: {
        strategy: expect.objectContaining({ id: "browser-android" }),
        tableVersion: TABLE.version,
        escapeUrl: null,
        appLink: `intent://${SCHEMELESS}#Intent;scheme=https;package=com.amazon.mShop.android.shopping;S.browser_fallback_url=${encodeURIComponent(LINK.webUrl)};end`,
        webUrl: LINK.webUrl,
        storeUrl: "https://play.google.com/store/apps/details?id=com.amazon.mShop.android.shopping",
        isAutomatic: true,
        routed: null,
      },
      title: LINK.title,
    });
  });

  it.each([
    ["ios", "https://apps.apple.com/app/id1478350915"],
    ["android", "https://play.google.com/store/apps/details?id=in.amazon.mShop.android.shopping"],
  ] as const)("sends India's %s visitors to India's app", (device, storeUrl) => {
    const link: LiveLink = { ...LINK, webUrl: "https://amazon.in/dp/B1", marketplace: "in" };
    expect(chooseDestination(link, visitor(device), NOW)).toMatchObject({ page: { storeUrl } });
  });

  it("does not auto-open the app on a prefetched page", () => {
    const decision = chooseDestination(LINK, visitor("android", { isPrefetch: true }), NOW);
    expect(decision).toMatchObject({ kind: "app-page", page: { isAutomatic: false } });
  });

  it.each([
    ["ios", "instagram", false],
    ["android", "instagram", true],
    ["ios", "x", false],
    ["android", "tiktok", false],
  ] as const)("on %s inside %s, auto-open is %s", (device, app, isAutomatic) => {
    const decision = chooseDestination(LINK, visitor(device, {}, app), NOW);
    expect(decision).toMatchObject({ kind: "app-page", page: { isAutomatic } });
  });

  it("offers to leave an in-app browser for the short link with the visitor's allowed parameters", () => {
    const query = "utm_source=ig&tag=evil-21";
    const decision = chooseDestination(LINK, visitor("ios", { query }, "tiktok"), NOW);
    expect(decision).toMatchObject({
      page: { escapeUrl: `x-safari-${SHORT_URL}?utm_source=ig&tt_esc=1` },
    });
  });

  it("does not offer to leave an in-app browser after the visitor left it", () => {
    const decision = chooseDestination(LINK, visitor("ios", { isEscaped: true }, "tiktok"), NOW);
    expect(decision).toMatchObject({ kind: "app-page", page: { escapeUrl: null } });
  });

  it("gives a link-preview crawler the card, which keeps the query of its own address", () => {
    const crawler = visitor("preview-crawler", { query: "utm_source=x" });
    expect(chooseDestination(LINK, crawler, NOW)).toEqual({
      kind: "card",
      link: LINK,
      query: "utm_source=x",
    });
  });

  describe("with a fallback", () => {
    const webUrl = "https://www.amazon.fr/s?k=lampe&tag=me-21";
    const fallbackPage = { webUrl, marketplace: "fr", isProductGone: false } as const;
    const link: LiveLink = { ...LINK, fallbackPage };
    const gone: LiveLink = { ...LINK, fallbackPage: { ...fallbackPage, isProductGone: true } };
    const locationOf = (lookup: Lookup) => chooseDestination(lookup, visitor("desktop"), NOW);

    it("opens it once the link has expired, or while its product is gone", () => {
      expect(locationOf({ ...link, expiresAt: NOW + 1 })).toMatchObject({ location: LINK.webUrl });
      expect(locationOf(link)).toMatchObject({ location: LINK.webUrl });
      expect(locationOf({ ...link, expiresAt: NOW })).toMatchObject({ location: webUrl });
      expect(locationOf(gone)).toMatchObject({ kind: "redirect", location: webUrl });
    });

    it("opens it in the app, as the link, without the link's title", () => {
      const decision = choose(gone, { visitor: visitor("ios"), now: NOW, country: "unknown" });
      expect(decision).toMatchObject({ kind: "app-page", route: { kind: "fallback" } });
      expect(chooseDestination(gone, visitor("ios"), NOW)).toMatchObject({
        page: { webUrl, appLink: webUrl.replace("https", "com.amazon.mobile.shopping.web") },
      });
      expect(chooseDestination(gone, visitor("ios"), NOW)).toMatchObject({
        page: { routed: null },
      });
    });
  });

  it.each([
    [NOW - 1, "redirect"],
    [NOW, "gone"],
    [NOW + 1, "gone"],
  ])("at %d a link that expires at 1800000000000 results in %s", (now, kind) => {
    expect(chooseDestination({ ...LINK, expiresAt: NOW }, visitor("desktop"), now).kind).toBe(kind);
  });

  it.each(["ios", "android", "preview-crawler", "bot"] as const)("expires a link for %s too", (device) => {
    expect(chooseDestination({ ...LINK, expiresAt: NOW }, visitor(device), NOW)).toEqual({
      kind: "gone",
    });
  });

  it.each(["deleted", "expired", "taken-down"] as const)("maps a %s link to gone", (reason) => {
    const gone = { state: "gone", revision: 2, reason } as const;
    expect(chooseDestination(gone, visitor("ios"), NOW)).toEqual({ kind: "gone" });
  });

  it.each([
    ["unknown", "not-found"],
    ["unavailable", "unavailable"],
  ] as const)("maps a code that is %s to %s", (state, kind) => {
    expect(chooseDestination({ state }, visitor("ios"), NOW)).toEqual({ kind });
  });

  it("passes the same query to the app, its fallback and the web, for any visitor query", () => {
    fc.assert(
      fc.property(fc.webQueryParameters(), (query) => {
        const web = chooseDestination(LINK, visitor("desktop", { query }), NOW);
        const ios = chooseDestination(LINK, visitor("ios", { query }), NOW);
        const android = chooseDestination(LINK, visitor("android", { query }), NOW);
        if (web.kind !== "redirect" || ios.kind !== "app-page" || android.kind !== "app-page") {
          throw new Error("unexpected kind of decision");
        }
        const schemeless = web.location.slice("https://".length);
        expect(ios.page.appLink).toBe(`com.amazon.mobile.shopping.web://${schemeless}`);
        expect(android.page.appLink.split("#Intent;")[0]).toBe(`intent://${schemeless}`);
        const fallback = /S\.browser_fallback_url=([^;]*);end$/.exec(android.page.appLink)?.[1];
        expect(decodeURIComponent(fallback ?? "")).toBe(web.location);
        expect([ios.page.webUrl, android.page.webUrl]).toEqual([web.location, web.location]);
      }),
    );
  });
});
