import { describe, expect, it } from "vitest";
import type { LinkRouting } from "../../redirect/link-routing.ts";
import { isMarketplace, MARKETPLACES, type Marketplace } from "../amazon/marketplaces.ts";
import { ROUTED_COUNTRIES, storesFor } from "./country-stores.ts";
import { type ExplainedLink, explainVisit } from "./explain-visit.ts";
import { routedProduct, routeVisit } from "./route-visit.ts";

const ASIN = "B0ZZ1Y2X3W";

interface Choices {
  webUrl: string;
  isOn: boolean;
  tagged: readonly Marketplace[];
  soldIn: readonly Marketplace[];
  oneLink: readonly Marketplace[];
  searchTitle: string | null;
}
const DEFAULTS: Choices = {
  webUrl: `https://www.amazon.com/dp/${ASIN}?tag=me-20`,
  isOn: true,
  tagged: ["de", "fr"],
  soldIn: ["de", "fr"],
  oneLink: [],
  searchTitle: null,
};

/** The redirect record as the function `link_routing` of Postgres computes it. */
function routingOf(choices: Choices): LinkRouting | null {
  const { isOn, tagged, soldIn, oneLink, searchTitle } = choices;
  const stores = tagged
    .filter((store) => !oneLink.includes(store))
    .map((marketplace) => ({ marketplace, tag: "me-21", isSold: soldIn.includes(marketplace) }))
    .filter(({ isSold }) => isSold || searchTitle !== null);
  return isOn && stores.length > 0 ? { stores, oneLink: [...oneLink], searchTitle } : null;
}

function linkWith(changes: Partial<Choices>): ExplainedLink {
  const choices = { ...DEFAULTS, ...changes };
  return { ...choices, routing: routingOf(choices) };
}

describe("explainVisit", () => {
  it.each<[country: string, changes: Partial<Choices>, text: string]>([
    ["AT", {}, `product https://www.amazon.de/dp/${ASIN}?tag=me-21`],
    ["DE", { soldIn: [], searchTitle: "Lamp" }, "search https://www.amazon.de/s?k=Lamp&tag=me-21"],
    ["CH", { soldIn: [] }, "not-sold de,fr"],
    ["IT", {}, "no-tag it"],
    ["CH", { tagged: [] }, "no-tag de,fr,it"],
    ["CH", { oneLink: ["it"] }, "one-link it"],
    ["DE", { isOn: false, tagged: [] }, "off de"],
    ["US", { isOn: false }, "own-store com"],
    ["AT", { webUrl: `https://www.amazon.de/dp/${ASIN}` }, "own-store de"],
    ["DE", { webUrl: `https://www.amazon.com/dp/${ASIN}?tag=maas` }, "attribution de"],
    ["unknown", {}, "no-store "],
    ["", { isOn: false }, "no-store "],
  ])("%s, %j: %s", (country, changes, expected) => {
    const found = explainVisit(linkWith(changes), country);
    const text =
      found.kind === "routed" ? `${found.route.kind} ${found.route.webUrl}` : `${found.reason} ${found.stores.join()}`;
    expect(text).toBe(expected);
  });
});

const STORES = Object.keys(MARKETPLACES).filter(isMarketplace);
const HALF = STORES.filter((_, i) => i % 2 === 0);

it.each<[string, Partial<Choices>]>([
  ["every tag, sold everywhere", { tagged: STORES, soldIn: STORES }],
  ["half of the tags, OneLink", { tagged: HALF, soldIn: STORES, oneLink: ["de", "fr", "co.uk"] }],
  ["half of them sold", { tagged: STORES, soldIn: HALF }],
  ["half of them sold, with a search", { tagged: STORES, soldIn: HALF, searchTitle: "Lamp" }],
  ["off", { isOn: false, tagged: STORES, soldIn: STORES }],
])("agrees with the redirect in every country: %s", (_case, changes) => {
  const reasons = new Set<string>();
  for (const from of STORES) {
    const link = linkWith({ ...changes, webUrl: `https://www.amazon.${from}/dp/${ASIN}` });
    for (const country of [...ROUTED_COUNTRIES, "unknown"]) {
      const found = explainVisit(link, country);
      const product = link.routing && routedProduct(link.webUrl, link.routing);
      const route = product && routeVisit(product, country);
      expect(found.kind === "routed" ? found.route : null).toEqual(route);
      if (found.kind === "stays") {
        reasons.add(found.reason);
        expect(found.stores.every((store) => storesFor(country).includes(store))).toBe(true);
      }
    }
  }
  expect(reasons).toContain("own-store");
  expect(reasons.has("off")).toBe(changes.isOn === false);
});
