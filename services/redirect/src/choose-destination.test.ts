import type { Device } from "@tapthru/proto/rules/agents/agent";
import { chooseStrategy } from "@tapthru/proto/rules/app-opening/app-opening";
import {
  BUILT_IN_OPENING_TABLE,
  BUILT_IN_OPENING_TABLE as TABLE,
} from "@tapthru/proto/rules/app-opening/built-in-app-opening";
import fc from "fast-check";
import { expect, it } from "vitest";
import { appPageFor, chooseDestination as choose } from "./choose-destination.ts";
import { type LiveLink, type Lookup, linkFrom } from "./link.ts";
import { ANDROID, CRAWLER, DESKTOP, IPHONE, liveRecord } from "./testing/test-service.ts";
import { createClientParser, type Visitor, visitorFrom } from "./visitor/visitor.ts";

const NOW = 1_800_000_000_000;
const webUrl = "https://www.amazon.de/-/en/Lampe/dp/B000000001/ref=x?tag=me-21&q='a%20b'";
const LINK: LiveLink = { ...liveRecord({ webUrl }), marketplace: "de", routed: null };
const SHORT_URL = "https://go.example/l/abc2345";

function visitor(device: Device, rest: Partial<Visitor> = {}, app = "browser"): Visitor {
  const agent = { device, app, appVersion: null };
  const strategy = chooseStrategy(TABLE, agent);
  const opening = strategy && { strategy, tableVersion: TABLE.version };
  return {
    client: { ...agent, agentClass: "person", program: "other", sendsBrowserHeaders: false, opening },
    isPrefetch: false,
    isProxiedPrefetch: false,
    isEscaped: false,
    query: "",
    ...rest,
  };
}

/** The decision, with the page that opens the app. */
function chooseDestination(lookup: Lookup, visitor: Visitor, now = NOW, country = "unknown") {
  const decision = choose(lookup, { visitor, now, country });
  return decision.kind === "app-page" ? { ...decision, page: appPageFor(decision, SHORT_URL) } : decision;
}

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
  const card = { kind: "card", link: LINK, fallbackUrl: null, query: "utm_source=x" };
  expect(chooseDestination(LINK, crawler)).toEqual(card);
});

it("gives an assistant a page of the store instead of a cart, which needs a tag", () => {
  const cart = "https://www.amazon.de/gp/aws/cart/add.html?Quantity.1=1&tag=anna-21";
  const locationOf = (webUrl: string) => {
    const decision = chooseDestination({ ...LINK, webUrl }, visitor("assistant", { query: "" }));
    return decision.kind === "redirect" && decision.location;
  };
  expect(locationOf(`${cart}&OfferListingId.1=abc%2Bdef`)).toBe("https://www.amazon.de/");
  expect(locationOf(`${cart}&ASIN.1=B0ZZ1Y2X3W&ASIN.2=B0ZZ1Y2X3V`)).toBe("https://www.amazon.de/dp/B0ZZ1Y2X3W");
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
] as const)("auto-open on %s inside %s, with %j, is %s", (device, app, rest, isAutomatic) => {
  expect(chooseDestination(LINK, visitor(device, rest, app))).toMatchObject({ page: { isAutomatic } });
});

it("offers to leave an in-app browser for the short link with the visitor's allowed parameters, once", () => {
  const query = "utm_source=ig&tag=evil-21";
  const escapeUrl = `x-safari-${SHORT_URL}?utm_source=ig&tt_esc=1`;
  expect(chooseDestination(LINK, visitor("ios", { query }, "tiktok"))).toMatchObject({ page: { escapeUrl } });
  const escaped = visitor("ios", { query, isEscaped: true }, "tiktok");
  expect(chooseDestination(LINK, escaped)).toMatchObject({ page: { escapeUrl: null } });
});

it("opens a fallback until the link starts, once it has expired, or while its product is gone, also in the app", () => {
  const fallbackUrl = "https://www.amazon.fr/s?k=lampe&tag=me-21";
  const fallbackPage = { webUrl: fallbackUrl, marketplace: "fr", isProductGone: false } as const;
  const link: LiveLink = { ...LINK, fallbackPage };
  const gone: LiveLink = { ...LINK, fallbackPage: { ...fallbackPage, isProductGone: true } };
  const locationOf = (lookup: Lookup) => chooseDestination(lookup, visitor("desktop"));
  expect(locationOf({ ...link, expiresAt: NOW + 1 })).toMatchObject({ location: webUrl });
  expect(locationOf(link)).toMatchObject({ location: webUrl });
  expect(locationOf({ ...link, expiresAt: NOW })).toMatchObject({ location: fallbackUrl });
  expect(locationOf({ ...link, startsAt: NOW + 1 })).toMatchObject({ location: fallbackUrl });
  expect(locationOf({ ...link, startsAt: NOW })).toMatchObject({ location: webUrl });
  expect(locationOf({ ...LINK, startsAt: NOW + 1 })).toEqual({ kind: "not-found" });
  expect(locationOf({ ...LINK, startsAt: NOW + 1, expiresAt: NOW })).toEqual({ kind: "gone" });
  expect(locationOf(gone)).toMatchObject({ kind: "redirect", location: fallbackUrl });
  const appLink = fallbackUrl.replace("https", "com.amazon.mobile.shopping.web");
  expect(chooseDestination(gone, visitor("ios"))).toMatchObject({
    kind: "app-page",
    route: { kind: "fallback" },
    page: { webUrl: fallbackUrl, appLink, routed: null },
  });
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

const PAGE = "https://www.amazon.de/dp/B0ZZ1Y2X3W";
const TIKTOK = `${IPHONE.replace("Version/17.5 ", "")} musical_ly_34.0.0`;
const parseClient = createClientParser(() => BUILT_IN_OPENING_TABLE);

/** How the link opens on a phone, and the address. */
function visitOf(link: LiveLink, agent = IPHONE) {
  const visitor = visitorFrom({ url: "/l/x", headers: { "user-agent": agent } }, parseClient);
  const decision = choose(link, { visitor, now: NOW, country: "unknown" });
  if (decision.kind === "redirect") return ["302", decision.location];
  if (decision.kind !== "app-page") return [decision.kind];
  const page = appPageFor(decision, SHORT_URL);
  return [page.isAutomatic ? "auto" : "tap", page.webUrl];
}

it("a link opens as its owner chose, also in another store and in place of what ended", () => {
  const modesOf = (link: LiveLink) =>
    ([undefined, "tap", "browser"] as const).map((opening) => visitOf({ ...link, opening }, ANDROID)[0]);
  const fallbackPage = { webUrl: PAGE, marketplace: "de", isProductGone: true } as const;
  expect(modesOf(LINK)).toEqual(["auto", "tap", "302"]);
  expect(modesOf({ ...LINK, fallbackPage })).toEqual(["auto", "tap", "302"]);
  const browser = { ...LINK, opening: "browser" } as const;
  for (const agent of [IPHONE, TIKTOK, DESKTOP]) expect(visitOf(browser, agent)).toEqual(["302", webUrl]);
  expect(visitOf(browser, CRAWLER)).toEqual(["card"]);
  expect(visitOf({ ...LINK, opening: "tap" }, DESKTOP)[0]).toBe("302");
});

it("a link opens without tag by its untagged code", () => {
  const untagged = linkFrom(liveRecord({ webUrl: `${PAGE}?tag=me-21&th=1`, isUntagged: true })) as LiveLink;
  expect(visitOf(untagged)).toEqual(["auto", `${PAGE}?th=1`]);
});
