import type { LinkRouting } from "../../redirect/link-routing.ts";
import { parseStorePage } from "../amazon/amazon-url.ts";
import type { Marketplace } from "../amazon/marketplaces.ts";
import { tagHealth } from "../amazon/tag-health.ts";
import { storesFor } from "./country-stores.ts";

export interface RoutedProduct {
  asin: string;
  marketplace: Marketplace;
  /** The part of an address after the tag: the owner's sub-tag, or nothing. */
  subTag: string;
  routing: LinkRouting;
  /** Percent-encoded. Empty: no search. */
  searchWords: string;
}

export interface Route {
  kind: "product" | "search" | "fallback";
  marketplace: Marketplace;
  webUrl: string;
}

/** Longer titles find fewer products. */
const SEARCH_MAX_CHARACTERS = 80;

/** @returns null if all visitors open the link's own destination */
export function routedProduct(webUrl: string, routing: LinkRouting): RoutedProduct | null {
  const page = parseStorePage(webUrl);
  if (page?.kind !== "product") return null;
  // A sale elsewhere would not be in the seller's report.
  if (tagHealth(page).kind === "attribution") return null;
  const { asin, marketplace } = page;
  const searchWords = encodeSearch(routing.searchTitle ?? "");
  return { asin, marketplace, subTag: subTagOf(page.webUrl), routing, searchWords };
}

/**
 * Chooses the store of a visit. Visitors go to another store only with the owner's tag of that store.
 * @param country of ISO 3166-1; anything else if it is not known
 * @returns null if the visit opens the link's own destination, byte for byte
 */
export function routeVisit(product: RoutedProduct, country: string): Route | null {
  const { asin, subTag, routing, searchWords } = product;
  const countryStores = storesFor(country);
  if (countryStores.includes(product.marketplace)) return null;
  // Amazon itself sends these visitors to their store.
  if (countryStores.some((store) => routing.oneLink.includes(store))) return null;

  const stores = countryStores
    .map((marketplace) => routing.stores.find((store) => store.marketplace === marketplace))
    .filter((store) => store !== undefined);
  const store = stores.find(({ isSold }) => isSold) ?? stores[0];
  if (store === undefined) return null;

  const { marketplace, tag, isSold } = store;
  const host = `https://www.amazon.${marketplace}`;
  const payment = `tag=${tag}${subTag}`;
  if (isSold) return { kind: "product", marketplace, webUrl: `${host}/dp/${asin}?${payment}` };
  if (searchWords === "") return null;
  return { kind: "search", marketplace, webUrl: `${host}/s?k=${searchWords}&${payment}` };
}

function subTagOf(webUrl: string): string {
  const [, query = ""] = webUrl.split("?", 2);
  const subTag = query.split("&").find((parameter) => /^ascsubtag=./.test(parameter));
  return subTag === undefined ? "" : `&${subTag}`;
}

/** The start of the title, percent-encoded. */
function encodeSearch(title: string): string {
  const characters = [...title.toWellFormed().trim()].slice(0, SEARCH_MAX_CHARACTERS);
  return encodeURIComponent(characters.join("").trim()).replaceAll("'", "%27");
}
