import { URL_MAX_BYTES } from "../limits.ts";
import {
  type LinkRefusal,
  linkIncomplete,
  linkMissing,
  linkTooLong,
  notAnAmazonLink,
  notAShoppingPage,
  unusableLink,
} from "../link-errors.ts";
import { isRef, parsePath, splitPath } from "./amazon-path.ts";
import { tagsIn } from "./earning-tags.ts";
import { findShortHost, findStore, isOtherAmazonHost, type StoreHost } from "./hosts.ts";
import type { Marketplace } from "./marketplaces.ts";
import { pageProductId } from "./product-id.ts";
import { isRefusedPath } from "./refused-paths.ts";
import { resolveSponsoredLink } from "./sponsored-link.ts";
import { parseWebAddress, type WebAddress } from "./web-address.ts";

export interface Destination {
  marketplace: Marketplace;
  /**
   * The destination: https, lower-case host, no port, non-ASCII characters percent-encoded as UTF-8, all other bytes
   * of path and query unchanged; ASCII, at most 4,096 bytes. Without the fragment: servers do not receive it, and an
   * Android intent has its own after `#`. For a sponsored link, the product page that it leads to.
   */
  webUrl: string;
}

interface Page extends Destination {
  /** The key of the page's metadata, without the tag; null for pages without metadata. */
  canonicalUrl: string | null;
  productId: string;
  /** The first tag that earns, as `tagsIn` names it; untrusted text. */
  tag: string | null;
}

export type AmazonUrl =
  | ({ kind: "product"; asin: string } & Page)
  /** `handle`: a creator's handle, or the page id or brand of a brand store; percent-encoded. */
  | ({ kind: "storefront"; handle: string } & Page)
  | ({ kind: "other"; lacksAsin: boolean } & Page)
  /**
   * `host` without `www.`; `code`: the path without its first slash, never an ASIN even if it looks like one; `url`:
   * the https address to resolve.
   */
  | { kind: "short"; host: string; code: string; url: string; tag: string | null }
  | ({ kind: "refused" } & LinkRefusal);

export type StorePage = Extract<AmazonUrl, Page>;

/**
 * Parses a complete Amazon address. Only the host decides whether it is Amazon's. For pasted text call findAmazonUrl
 * first. Never throws; parsing the returned webUrl gives the same page.
 */
export function parseAmazonUrl(text: string): AmazonUrl {
  if (latest?.text !== text) latest = { text, url: parseTrimmed(text.trim()) };
  return latest.url;
}

/** Whoever finds, checks and repairs an address parses it several times in a row. */
let latest: { text: string; url: AmazonUrl } | undefined;

function parseTrimmed(trimmed: string): AmazonUrl {
  if (trimmed === "") return refused(linkMissing);
  const address = parseWebAddress(trimmed);
  if (address === null) return refused(isLongAmazonUrl(trimmed) ? linkTooLong : notAnAmazonLink);

  const shortHost = findShortHost(address.host);
  if (shortHost !== null) return readShortLink(shortHost, address);
  const store = findStore(address.host);
  if (store !== null) return readStorePage(store, address);
  if (!isOtherAmazonHost(address.host)) return refused(notAnAmazonLink);
  return refused({ ...notAShoppingPage, message: `${address.host} is not an Amazon shopping page` });
}

const ISBN_13 = /^[^?]*\/(?:dp|gp\/product)\/97[89](?:-?\d){10}(?:[/?]|$)/i;
const isbn13 = {
  ...unusableLink,
  message: "This address has the ISBN-13 of a book. Amazon's addresses have its ISBN-10.",
};

/** Parses the address that a link is to lead to. Also refuses the address of a product without an ASIN. */
export function parseNewDestination(text: string): AmazonUrl {
  const url = parseAmazonUrl(text);
  if (url.kind !== "other" || !url.lacksAsin) return url;
  return refused(ISBN_13.test(url.webUrl) ? isbn13 : linkIncomplete);
}

/** Parses the address of a store page. Returns null for any other text, including short links. */
export function parseStorePage(text: string): StorePage | null {
  const url = parseAmazonUrl(text);
  return isStorePage(url) ? url : null;
}

/** Where the address of a store page leads: what `parseStorePage` returns without the facts about the page, in less time. */
export function storeDestination(text: string): Destination | null {
  const address = parseWebAddress(text.trim());
  const store = address && findStore(address.host);
  const found = store && findDestination(store, address);
  if (found === null || "code" in found) return null;
  return { marketplace: found.marketplace, webUrl: found.webUrl };
}

export function isStorePage(url: AmazonUrl): url is StorePage {
  return url.kind === "product" || url.kind === "storefront" || url.kind === "other";
}

function readShortLink(host: string, address: WebAddress): AmazonUrl {
  const code = /^\/((?:[\w-]+\/)*[\w-]+)\/?$/.exec(address.path)?.[1];
  if (code === undefined) return refused(notAnAmazonLink);
  const url = `https://${address.host}${address.pathAndQuery}`;
  if (url.length > URL_MAX_BYTES) return refused(linkTooLong);
  const [tag = null] = tagsIn(address.path, address.search);
  return { kind: "short", host, code, url, tag };
}

function readStorePage(store: StoreHost, given: WebAddress): AmazonUrl {
  const found = findDestination(store, given);
  if (found === null) return refused(unusableLink);
  if ("code" in found) return refused(found);
  const { address, marketplace, webUrl } = found;
  const query = new URLSearchParams(address.search);
  const reading = parsePath(address.path, query);
  const [tag = null] = tagsIn(address.path, address.search);
  const page = { marketplace, webUrl, tag };
  const wwwUrl = `https://www.amazon.${marketplace}`;
  switch (reading.kind) {
    case "product": {
      const { kind, asin } = reading;
      const canonicalUrl = `${wwwUrl}/dp/${asin}`;
      return { ...page, kind, asin, canonicalUrl, productId: asin };
    }
    case "storefront": {
      const { kind, handle, canonicalPath } = reading;
      const canonicalUrl = wwwUrl + canonicalPath;
      return { ...page, kind, handle, canonicalUrl, productId: pageProductId([handle]) };
    }
    case "other": {
      const parts = splitPath(address.path).filter((part) => !isRef(part));
      return { ...page, ...reading, canonicalUrl: null, productId: pageProductId(parts) };
    }
  }
}

/** Returns null for a page that is refused. */
function findDestination({ marketplace, host }: StoreHost, given: WebAddress) {
  const address = resolveSponsoredLink(given) ?? given;
  if (isRefusedPath(address.typedPath)) return null;
  const webUrl = `https://${host}${address.pathAndQuery}`;
  return webUrl.length > URL_MAX_BYTES ? linkTooLong : { address, marketplace, webUrl };
}

/** Returns true for an address of Amazon that is longer than parseWebAddress reads. */
function isLongAmazonUrl(text: string): boolean {
  const [origin = ""] = text.length > URL_MAX_BYTES ? (/^https?:\/\/[^/?#]*/i.exec(text) ?? []) : [];
  const host = parseWebAddress(origin)?.host ?? "";
  return findStore(host) !== null || findShortHost(host) !== null;
}

function refused(refusal: LinkRefusal): AmazonUrl {
  return { kind: "refused", ...refusal };
}
