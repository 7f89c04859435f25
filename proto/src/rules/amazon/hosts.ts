import { isMarketplace, MARKETPLACES, type Marketplace } from "./marketplaces.ts";

export interface StoreHost {
  marketplace: Marketplace;
  host: string;
}

const PREFIXES = ["", "www.", "m.", "smile."];
const JAPANESE_ALIAS = "jp";

function storeHosts(marketplace: Marketplace): string[] {
  const keys = marketplace === "co.jp" ? [marketplace, JAPANESE_ALIAS] : [marketplace];
  return keys.flatMap((key) => PREFIXES.map((prefix) => `${prefix}amazon.${key}`));
}

/**
 * The store of a host, by an exact table and never by suffix: other subdomains of `amazon.<key>` are not stores and may
 * contain redirectors.
 * @param host in lower case, without a port
 */
export function findStore(host: string): StoreHost | null {
  const key = /^(?:www\.|m\.|smile\.)?amazon\.(.+)$/.exec(host)?.[1];
  if (key === undefined) return null;
  if (key === JAPANESE_ALIAS) return { marketplace: "co.jp", host: "www.amazon.co.jp" };
  return isMarketplace(key) ? { marketplace: key, host } : null;
}

const SHORT_HOSTS: ReadonlySet<string> = new Set([
  "amzn.to",
  "a.co",
  "amzn.eu",
  "amzn.asia",
  "amzn.in",
  "amzn.com",
  "link.amazon",
  "amzlinks.in",
  "amzlink.to",
]);

/** The short host without `www.`; null for any other host. */
export function findShortHost(host: string): string | null {
  const bare = host.replace(/^www\./, "");
  return SHORT_HOSTS.has(bare) ? bare : null;
}

export const AMAZON_HOSTS: readonly string[] = [
  ...Object.keys(MARKETPLACES).filter(isMarketplace).flatMap(storeHosts),
  ...SHORT_HOSTS,
];

const OTHER_DOMAINS = [
  "amazon",
  "amazon.jp",
  "amazon.com.co",
  "amazon.cl",
  "amazon.com.ng",
  "amazonaws.com",
  "amazon-adsystem.com",
  "media-amazon.com",
  "ssl-images-amazon.com",
  "amzlink.to",
  "audible.com",
  "primevideo.com",
];

/** Returns true if a host belongs to Amazon without being a store or a short host; decides the error message only. */
export function isOtherAmazonHost(host: string): boolean {
  const domains = [...Object.keys(MARKETPLACES).map((key) => `amazon.${key}`), ...OTHER_DOMAINS];
  return domains.some((domain) => host === domain || host.endsWith(`.${domain}`));
}
