import { parseStorePage } from "../amazon/amazon-url.ts";
import type { Marketplace } from "../amazon/marketplaces.ts";
import { tagHealth } from "../amazon/tag-health.ts";
import { storesFor } from "./country-stores.ts";

/** What the owner of a link chose, and what is known about its product. */
export interface Routing {
  /** The owner's tag in each store; each matches TAG_PATTERN. */
  tags: Readonly<Partial<Record<Marketplace, string>>>;
  /** The stores to which Amazon OneLink sends visitors itself. */
  oneLink: readonly Marketplace[];
  /** The stores that are known to sell the product. */
  soldIn: readonly Marketplace[];
  /** Where visitors go whose store is not known to sell the product. */
  fallback: "search" | "original";
}

export type Route =
  /** The link's own destination, byte for byte. */
  { kind: "original" } | { kind: "product" | "search"; marketplace: Marketplace; webUrl: string };

interface RoutedLink {
  /** The destination. */
  webUrl: string;
  /** What a search looks for; null if it is not known. */
  title: string | null;
}

const ORIGINAL: Route = { kind: "original" };

/** Longer titles find fewer products. */
const SEARCH_MAX_CHARACTERS = 80;

/**
 * Chooses the store of a visit. Visitors go to another store only with the owner's tag of that store; everyone else opens
 * the original.
 * @param country of ISO 3166-1; anything else if it is not known
 */
export function routeVisit(link: RoutedLink, routing: Routing, country: string): Route {
  const page = parseStorePage(link.webUrl);
  if (page?.kind !== "product") return ORIGINAL;
  const stores = storesFor(country);
  if (stores.includes(page.marketplace)) return ORIGINAL;
  // A sale elsewhere would not be in the seller's report.
  if (tagHealth(page).kind === "attribution") return ORIGINAL;
  // Amazon itself sends these visitors to their store.
  if (stores.some((store) => routing.oneLink.includes(store))) return ORIGINAL;

  const tagged = stores.filter((store) => routing.tags[store] !== undefined);
  const marketplace = tagged.find((store) => routing.soldIn.includes(store)) ?? tagged[0];
  const tag = marketplace && routing.tags[marketplace];
  if (marketplace === undefined || tag === undefined) return ORIGINAL;

  const payment = `tag=${tag}${subTagOf(page.webUrl)}`;
  const store = `https://www.amazon.${marketplace}`;
  if (routing.soldIn.includes(marketplace)) {
    return { kind: "product", marketplace, webUrl: `${store}/dp/${page.asin}?${payment}` };
  }
  const words = searchWords(link.title);
  if (routing.fallback === "original" || words === "") return ORIGINAL;
  return { kind: "search", marketplace, webUrl: `${store}/s?k=${words}&${payment}` };
}

/** The owner's first sub-tag, as it is written in the address, with the separator before it. */
function subTagOf(webUrl: string): string {
  const [, query = ""] = webUrl.split("?", 2);
  const subTag = query.split("&").find((parameter) => /^ascsubtag=./.test(parameter));
  return subTag === undefined ? "" : `&${subTag}`;
}

/** The start of the title, percent-encoded. */
function searchWords(title: string | null): string {
  const characters = [...(title ?? "").toWellFormed().trim()].slice(0, SEARCH_MAX_CHARACTERS);
  return encodeURIComponent(characters.join("").trim()).replaceAll("'", "%27");
}
