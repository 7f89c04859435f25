import { describe, expect, it } from "vitest";
import type { LinkRouting } from "../../redirect/link-routing.ts";
import { parseUserAgent } from "../agents/agent.ts";
import { parseStorePage } from "../amazon/amazon-url.ts";
import { isMarketplace, MARKETPLACES, type Marketplace } from "../amazon/marketplaces.ts";
import { ONELINK_STORES } from "../amazon/onelink.ts";
import { chooseStrategy } from "../app-opening/app-opening.ts";
import { appPage } from "../app-opening/app-page.ts";
import { BUILT_IN_OPENING_TABLE } from "../app-opening/built-in-app-opening.ts";
import { storesFor } from "./country-stores.ts";
import { type Route, routedProduct, routeVisit } from "./route-visit.ts";

const STORES = Object.keys(MARKETPLACES).filter(isMarketplace);
const ASIN = "B0ZZ1Y2X3W";
const TITLE = "Lamp & shade – 50 % off";

const tagOf = (store: Marketplace) => `own-${store.replaceAll(".", "_")}${MARKETPLACES[store].tagSuffix ?? "-20"}`;
const ALL_TAGS = Object.fromEntries(STORES.map((store) => [store, tagOf(store)]));

interface Choices {
  tags: Partial<Record<Marketplace, string>>;
  oneLink: Marketplace[];
  soldIn: readonly Marketplace[];
  searchTitle: string | null;
}
const DEFAULTS: Choices = { tags: ALL_TAGS, oneLink: [], soldIn: STORES, searchTitle: null };

const routing = (changes: Partial<Choices>): LinkRouting => {
  const { tags, oneLink, soldIn, searchTitle } = { ...DEFAULTS, ...changes };
  const stores = STORES.flatMap((marketplace) => {
    const tag = tags[marketplace];
    return tag === undefined ? [] : [{ marketplace, tag, isSold: soldIn.includes(marketplace) }];
  });
  return { stores, oneLink, searchTitle };
};

function route(address: string, changes: Partial<Choices>, country: string): Route | null {
  const product = routedProduct(`https://www.amazon.${address}`, routing(changes));
  return product && routeVisit(product, country);
}
const LINK = `com/dp/${ASIN}?tag=own-20`;

describe("routeVisit", () => {
  it.each<[string, Partial<Choices>, string, string | null]>([
    ["DE", {}, "com/dp/B0ZZ1Y2X3W?tag=own-20", "de/dp/B0ZZ1Y2X3W?tag=own-de-21"],
    ["AT", {}, "de/dp/B0ZZ1Y2X3W?tag=own-de-21", null],
    ["BR", {}, "com/gp/product/b0zz1y2x3w", "com.br/dp/B0ZZ1Y2X3W?tag=own-com_br-20"],
    ["CH", { tags: { fr: "me-21", it: "it-21" } }, "com/dp/B0ZZ1Y2X3W", "fr/dp/B0ZZ1Y2X3W?tag=me-21"],
    ["CH", { soldIn: ["it", "com"] }, "com/dp/B0ZZ1Y2X3W", "it/dp/B0ZZ1Y2X3W?tag=own-it-21"],
    ["DE", { soldIn: [] }, "com/dp/B0ZZ1Y2X3W", null],
    ["AT", { oneLink: ["de"] }, "com/dp/B0ZZ1Y2X3W", null],
    ["DE", { oneLink: ["fr"] }, "com/dp/B0ZZ1Y2X3W", "de/dp/B0ZZ1Y2X3W?tag=own-de-21"],
    ["DE", {}, "com/dp/B0ZZ1Y2X3W?tag=maas&maas=1", null],
    ["DE", {}, "com/s?k=lamp&tag=own-20", null],
    ["constructor", {}, "com/dp/B0ZZ1Y2X3W", null],
    [
      "DE",
      {},
      "com/dp/B0ZZ1Y2X3W?ascsubtag=&th=1&ascsubtag=spring%2Dsale&tag=own-20&linkId=x",
      "de/dp/B0ZZ1Y2X3W?tag=own-de-21&ascsubtag=spring%2Dsale",
    ],
    [
      "DE",
      { soldIn: [], searchTitle: TITLE },
      "com/dp/B0ZZ1Y2X3W?ascsubtag=a",
      "de/s?k=Lamp%20%26%20shade%20%E2%80%93%2050%20%25%20off&tag=own-de-21&ascsubtag=a",
    ],
  ])("%s, %j, %s", (country, changes, address, expected) => {
    const webUrl = route(address, changes, country)?.webUrl ?? null;
    expect(webUrl).toBe(expected && `https://www.amazon.${expected}`);
  });

  it.each([null, "", "  "])("opens the original instead of a search for the title %j", (title) => {
    expect(route(LINK, { soldIn: [], searchTitle: title }, "DE")).toBeNull();
  });

  it.each(["a".repeat(500), "\ud800'\"<script>&tag=evil-21#", "👩".repeat(90)])(
    "a search for %j has only the owner's tag",
    (title) => {
      const found = route(LINK, { soldIn: [], searchTitle: title }, "DE");
      if (found?.kind !== "search") throw new Error(found?.kind);
      const { searchParams } = new URL(found.webUrl);
      expect([...searchParams.keys()]).toEqual(["k", "tag"]);
      expect(searchParams.get("tag")).toBe("own-de-21");
      expect(parseStorePage(found.webUrl)?.webUrl).toBe(found.webUrl);
    },
  );
});

const COUNTRIES = [
  ...STORES.map((store) => MARKETPLACES[store].country),
  "AT",
  "CH",
  "LU",
  "PT",
  "DK",
  "NO",
  "FI",
  "CZ",
  "GR",
  "NZ",
  "MY",
  "KW",
  "PR",
  "AR",
  "KR",
  "unknown",
];
const AGENTS = {
  iPhone:
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
  Android:
    "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Mobile Safari/537.36",
  desktop:
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36",
};
const SOME: Partial<Choices> = {
  tags: Object.fromEntries(STORES.filter((_, i) => i % 2 === 0).map((key) => [key, tagOf(key)])),
  oneLink: ONELINK_STORES.filter((_, i) => i % 3 === 0),
};

describe.each(Object.entries(AGENTS))("every store × 40 countries on %s", (_name, userAgent) => {
  const agent = parseUserAgent(userAgent, BUILT_IN_OPENING_TABLE.apps);
  const strategy = chooseStrategy(BUILT_IN_OPENING_TABLE, agent);

  function addressesOf(webUrl: string, marketplace: Marketplace): string[] {
    if (strategy === null) return [webUrl];
    const pageUrl = "https://tapthru.example/l/abcdefg";
    const page = appPage({ webUrl, marketplace, strategy, pageUrl, isEscaped: false });
    return [page.webUrl, page.appLink];
  }

  it.each<[string, Partial<Choices>]>([
    ["every tag, sold everywhere", {}],
    ["every tag, sold nowhere, with a search", { soldIn: [], searchTitle: TITLE }],
    ["half of the tags, some stores of OneLink", SOME],
    ["half of the tags, sold nowhere, with a search", { ...SOME, soldIn: [], searchTitle: TITLE }],
    ["no tags", { tags: {} }],
  ])("%s: the tag is the owner's for that store, or the original is untouched", (_case, changes) => {
    const chosen = { ...DEFAULTS, ...changes };
    const wrong: string[] = [];
    let routed = 0;
    for (const from of STORES) {
      for (const country of COUNTRIES) {
        const found = route(`${from}/dp/${ASIN}?tag=${tagOf(from)}`, changes, country);
        if (found === null) continue;
        routed += 1;
        const { marketplace, webUrl } = found;
        const isOwn =
          storesFor(country).includes(marketplace) &&
          marketplace !== from &&
          !chosen.oneLink.includes(marketplace) &&
          chosen.tags[marketplace] === tagOf(marketplace) &&
          parseStorePage(webUrl)?.marketplace === marketplace &&
          parseStorePage(webUrl)?.tag === tagOf(marketplace);
        const keepsTag = addressesOf(webUrl, marketplace).every(
          (address) =>
            address.includes(`//www.amazon.${marketplace}/`) &&
            address.split("?tag=").length + address.split("&tag=").length === 3 &&
            address.includes(`tag=${tagOf(marketplace)}`),
        );
        if (!isOwn || !keepsTag) wrong.push(`${from} ${country} ${webUrl}`);
      }
    }
    expect(COUNTRIES).toHaveLength(40);
    expect(wrong).toEqual([]);
    expect(routed > 0).toBe(Object.keys(chosen.tags).length > 0);
  });
});
