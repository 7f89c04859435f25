import type { Device } from "@tapthru/proto/rules/agents/agent";
import { chooseStrategy } from "@tapthru/proto/rules/app-opening/app-opening";
import { BUILT_IN_OPENING_TABLE as TABLE } from "@tapthru/proto/rules/app-opening/built-in-app-opening";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { appPageFor, chooseDestination as choose } from "./choose-destination.ts";
import type { LiveLink, Lookup } from "./link.ts";
import { liveRecord } from "./testing/test-service.ts";
import type { Visitor } from "./visitor/visitor.ts";

const NOW = 1_800_000_000_000;
const webUrl = "https://www.amazon.de/-/en/Lampe/dp/B000000001/ref=x?tag=me-21&q='a%20b'";
const LINK: LiveLink = { ...liveRecord({ webUrl }), marketplace: "de", routed: null };
const SCHEMELESS = webUrl.slice("https://".length);
const SHORT_URL = "https://go.example/l/abc2345";

function visitor(device: Device, rest: Partial<Visitor> = {}, app = "browser"): Visitor {
  const agent = { device, app, appVersion: null };
  const strategy = chooseStrategy(TABLE, agent);
  const opening = strategy && { strategy, tableVersion: TABLE.version };
  return {
    client: { ...agent, agentClass: "person", opening },
    ...{ isPrefetch: false, isProxiedPrefetch: false, isEscaped: false, query: "" },
    ...rest,
  };
}

/** The decision, with the page that opens the app. */
function chooseDestination(lookup: Lookup, visitor: Visitor, now = NOW, country = "unknown", random = () => 0) {
  const decision = choose(lookup, { visitor, now, country, random });
  return decision.kind === "app-page" ? { ...decision, page: appPageFor(decision, SHORT_URL) } : decision;
}

describe("chooseDestination", () => {
  it.each<[Lookup, object]>([
    [{ state: "unknown" }, { kind: "not-found" }],
    [{ state: "unavailable" }, { kind: "unavailable" }],
    [
      { state: "limited", retryAfterMs: 7 },
      { kind: "limited", retryAfterMs: 7 },
    ],
    [{ state: "gone", revision: 2, reason: "taken-down" }, { kind: "gone" }],
  ])("%j is %j", (lookup, expected) => {
    expect(chooseDestination(lookup, visitor("ios"))).toEqual(expected);
  });

  it.each(["desktop", "bot", "http-library"] as const)("redirects a %s to exactly the link's address", (device) => {
    const expected = { kind: "redirect", link: LINK, route: null, location: webUrl };
    expect(chooseDestination(LINK, visitor(device))).toEqual(expected);
  });

  it("gives a link-preview crawler the card, which keeps the query of its own address", () => {
    const crawler = visitor("preview-crawler", { query: "utm_source=x" });
    expect(chooseDestination(LINK, crawler)).toEqual({
      kind: "card",
      link: LINK,
      fallbackUrl: null,
      query: "utm_source=x",
    });
  });

  it("gives an assistant the address without the tag, unless the owner allows it", () => {
    const link = { ...LINK, webUrl: "https://www.amazon.de/dp/B000000001?tag=me-21&th=1" };
    const assistant = visitor("assistant", { query: "utm_source=chatgpt.com&tag=evil-21" });
    const locationOf = (assistantsGetTag?: boolean) => chooseDestination({ ...link, assistantsGetTag }, assistant);
    const untagged = "https://www.amazon.de/dp/B000000001?th=1&utm_source=chatgpt.com";
    expect(locationOf()).toMatchObject({ location: untagged });
    expect(locationOf(true)).toMatchObject({ location: `${link.webUrl}&utm_source=chatgpt.com` });
  });

  it.each([
    ["ios", `com.amazon.mobile.shopping.web://${SCHEMELESS}`, "https://apps.apple.com/app/id297606951"],
    [
      "android",
      `intent://${SCHEMELESS}#Intent;scheme=https;package=com.amazon.mShop.android.shopping;S.browser_fallback_url=${encodeURIComponent(webUrl)};end`,
      "https://play.google.com/store/apps/details?id=com.amazon.mShop.android.shopping",
    ],
  ] as const)("shows %s the page with the app's address and its store", (device, appLink, storeUrl) => {
    expect(chooseDestination(LINK, visitor(device))).toMatchObject({
      kind: "app-page",
      page: {
        strategy: expect.objectContaining({ id: `browser-${device}` }),
        ...{ tableVersion: TABLE.version, escapeUrl: null, isAutomatic: true, routed: null },
        ...{ appLink, webUrl, storeUrl },
      },
    });
  });

  it.each([
    ["ios", "https://apps.apple.com/app/id1478350915"],
    ["android", "https://play.google.com/store/apps/details?id=in.amazon.mShop.android.shopping"],
  ] as const)("sends India's %s visitors to India's app", (device, storeUrl) => {
    const link: LiveLink = { ...LINK, webUrl: "https://amazon.in/dp/B1", marketplace: "in" };
    expect(chooseDestination(link, visitor(device))).toMatchObject({ page: { storeUrl } });
  });

  it.each([
    ["ios", "instagram", {}, false],
    ["android", "instagram", {}, true],
    ["android", "instagram", { isPrefetch: true }, false],
    ["ios", "x", {}, false],
    ["android", "tiktok", {}, false],
  ] as const)("on %s inside %s, with %j, auto-open is %s", (device, app, rest, isAutomatic) => {
    expect(chooseDestination(LINK, visitor(device, rest, app))).toMatchObject({ page: { isAutomatic } });
  });

  it("offers to leave an in-app browser for the short link with the visitor's allowed parameters, once", () => {
    const query = "utm_source=ig&tag=evil-21";
    const escapeUrl = `x-safari-${SHORT_URL}?utm_source=ig&tt_esc=1`;
    expect(chooseDestination(LINK, visitor("ios", { query }, "tiktok"))).toMatchObject({ page: { escapeUrl } });
    const escaped = visitor("ios", { query, isEscaped: true }, "tiktok");
    expect(chooseDestination(LINK, escaped)).toMatchObject({ page: { escapeUrl: null } });
  });

  it("opens a fallback once the link has expired, or while its product is gone, also in the app", () => {
    const fallbackUrl = "https://www.amazon.fr/s?k=lampe&tag=me-21";
    const fallbackPage = { webUrl: fallbackUrl, marketplace: "fr", isProductGone: false } as const;
    const link: LiveLink = { ...LINK, fallbackPage };
    const gone: LiveLink = { ...LINK, fallbackPage: { ...fallbackPage, isProductGone: true } };
    const locationOf = (lookup: Lookup) => chooseDestination(lookup, visitor("desktop"));
    expect(locationOf({ ...link, expiresAt: NOW + 1 })).toMatchObject({ location: webUrl });
    expect(locationOf(link)).toMatchObject({ location: webUrl });
    expect(locationOf({ ...link, expiresAt: NOW })).toMatchObject({ location: fallbackUrl });
    expect(locationOf(gone)).toMatchObject({ kind: "redirect", location: fallbackUrl });
    const appLink = fallbackUrl.replace("https", "com.amazon.mobile.shopping.web");
    expect(chooseDestination(gone, visitor("ios"))).toMatchObject({
      ...{ kind: "app-page", route: { kind: "fallback" } },
      page: { webUrl: fallbackUrl, appLink, routed: null },
    });
  });

  it.each(["desktop", "ios", "preview-crawler"] as const)("expires a link for %s exactly at its expiry", (device) => {
    const kinds = [NOW - 1, NOW, NOW + 1].map(
      (now) => chooseDestination({ ...LINK, expiresAt: NOW }, visitor(device), now).kind,
    );
    expect(kinds).toEqual([expect.not.stringMatching("gone"), "gone", "gone"]);
  });

  it("passes the same query to the app, its fallback and the web, for any visitor query", () => {
    fc.assert(
      fc.property(fc.webQueryParameters(), (query) => {
        const web = chooseDestination(LINK, visitor("desktop", { query }));
        const ios = chooseDestination(LINK, visitor("ios", { query }));
        const android = chooseDestination(LINK, visitor("android", { query }));
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
  }, 300_000);
});
