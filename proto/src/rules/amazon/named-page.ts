import { findStore } from "./hosts.ts";
import { MARKETPLACES } from "./marketplaces.ts";
import { parseAsin } from "./product-id.ts";
import { parseUrl } from "./web-address.ts";

export const MAX_DECODINGS = 3;

/** The stores that Keepa counts, from 0. */
const KEEPA_STORES = ["", "com", "co.uk", "de", "fr", "co.jp", "ca", "", "it", "es", "in", "com.mx"];
/** The stores of widgets, by country, and by their number in `o=` in public code seen on 2026-12-01. */
const WIDGET_STORES = Object.entries(MARKETPLACES)
  .map(([key, { country }]) => `${country} ${key}`)
  .concat("1 com", "2 co.uk", "3 de", "8 fr", "9 co.jp", "15 ca", "29 it", "30 es", "31 in", "36 com.au");

/** Widgets of associates, which have shown nothing since 2023-12-31, and previews of Kindle (the group), as pages have them. */
export const EMBEDDED =
  /(?:https?:)?\/\/[\w-]+\.amazon(?:-adsystem)?\.(?:com?\.)?[a-z]{2,3}\/(?:e\/cm|widgets\/(?:q|cm)|(kp\/(?:card|embed|kshare)|sample\/\w))[^\s"'<>]*/i;
/** The oldest links of associates, which led to `path`, and the robot check and other errors, with the page in `amzn-r`. */
export const ENDED = /^(?:https?:\/\/)?[^/?#]+\/(?:-\/\w+\/)?(?:exec\/obidos\/|o\/|(?:gp\/)?errors\b)/i;

const OLD_REDIRECT = /^\/(?:exec\/obidos|o)\/(?:[^/]*\/)?redirect[^/]*\/?([\w.-]{1,64}-2\d)?/i;
const ASIN_NAMED = /(?:\basins?[=/]|\/dp\/|\/product\/|\/-\/|\/sample\/)(\w{10})(?!\w)/i;

/** The page of a store that a widget, a preview, an old link or a page of a price tracker names, with the tag; empty if there is none. */
export function namedPage(text: string): string {
  const url = parseUrl(text);
  if (url === null) return "";
  const { hostname, pathname, search } = url;
  const own = findStore(hostname);
  const [isOldRedirect, tagInPath] = (own && OLD_REDIRECT.exec(pathname)) ?? [];
  if (own === null ? !EMBEDDED.test(text) : isOldRedirect === undefined) return trackedProduct(url);
  const query = Array.from({ length: MAX_DECODINGS }).reduce((all: string) => decodeOnce(all) || all, search);
  const named = new Map([...new URLSearchParams(query)].map(([name, value]) => [name.toLowerCase(), value]));
  const number = named.get("marketplace") ?? named.get("region") ?? named.get("o") ?? "";
  const start = `${number.toUpperCase().replace("UK", "GB")} `;
  // rcm-de.amazon.de and lesen.amazon.de have the store in their host, ws-na.amazon-adsystem.com does not.
  const ofHost = hostname.includes("-na.") ? "com" : hostname.replace(/^[^.]+\.amazon\./, "");
  const key = WIDGET_STORES.find((each) => each.startsWith(start))?.slice(start.length) ?? ofHost;
  const store = own ?? findStore(`www.amazon.${key}`);
  const asin = parseAsin(ASIN_NAMED.exec(pathname + query)?.[1] ?? "");
  const [, tag = tagInPath] = /[?&](?:tracking_id|tag|t)=([\w.-]{1,64})/i.exec(query) ?? [];
  if (store === null || (asin === null && (own === null || tag === undefined))) return "";
  const words = named.get("keyword") ?? named.get("field-keywords");
  const page = asin !== null ? `dp/${asin}?` : words === undefined ? "?" : `s?k=${encodeURIComponent(words)}&`;
  return `https://www.amazon.${store.marketplace}/${page}${tag === undefined ? "" : `tag=${tag}`}`.replace(/[?&]$/, "");
}

/** The product that a page of a price tracker names: camelcamelcamel's subdomain is its store, Keepa counts them. */
function trackedProduct({ hostname, pathname, hash, searchParams }: URL): string {
  const [, subdomain = "com", site] = /^(?:(?:www|([a-z]+))\.)?(camelcamelcamel|keepa)\.com$/.exec(hostname) ?? [];
  if (site === undefined) return "";
  const [, number = searchParams.get("domain") ?? "", id = searchParams.get("asin") ?? ""] =
    /[/!]product\/(?:(\d+)-)?(\w+)/.exec(pathname + decodeOnce(hash)) ?? [];
  const keys = site === "keepa" ? [KEEPA_STORES[Number(number)]] : [subdomain, `co.${subdomain}`, `com.${subdomain}`];
  const store = keys.map((key) => findStore(`www.amazon.${key}`)).find(Boolean);
  const asin = parseAsin(id);
  return store && asin ? `https://${store.host}/dp/${asin}` : "";
}

export function decodeOnce(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}
