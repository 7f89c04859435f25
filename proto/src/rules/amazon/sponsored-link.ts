import { isRef, parsePath, splitPath } from "./amazon-path.ts";
import { parseWebAddress, type WebAddress } from "./web-address.ts";

const ATTRIBUTION = /^(?:tag|ascsubtag|linkCode|linkId|creative|camp|maas|aa_.*)$/i;

/**
 * The product page that a sponsored link (`/sspa/click?…&url=%2FLamp%2Fdp%2FB0…`) leads to, with the
 * attribution parameters of both. Sources: links of amazon.in and amazon.it in public code;
 * leon-cleaning-services/leon#813.
 * @returns null for other addresses, and if the product is not certain: `url` is missing, repeated or not the path of a
 *   product, or an attribution parameter has two values
 */
export function resolveSponsoredLink(address: WebAddress): WebAddress | null {
  const maybeSponsored = /sspa/i.test(address.path);
  if (!maybeSponsored) return null;
  const [first, second, ...below] = splitPath(address.path).map((part) => part.toLowerCase());
  if (first !== "sspa" || second !== "click" || !below.every(isRef)) return null;
  const query = new URLSearchParams(address.search);
  const [target, ...others] = valuesOf(query, "url");
  if (target === undefined || others.length > 0 || !/^\/[^/\\]/.test(target)) return null;
  const page = parseWebAddress(`https://${address.host}${target}`);
  if (page === null) return null;
  const reading = parsePath(page.path, new URLSearchParams(page.search));
  if (reading.kind !== "product" || reading.tag !== null) return null;
  return withAttribution(page, query);
}

function withAttribution(page: WebAddress, outer: URLSearchParams): WebAddress | null {
  let { pathAndQuery } = page;
  const inner = new URLSearchParams(page.search);
  for (const name of new Set(outer.keys())) {
    if (!ATTRIBUTION.test(name)) continue;
    const outerValues = valuesOf(outer, name);
    const kept = valuesOf(inner, name);
    if (new Set([...outerValues, ...kept]).size > 1) return null;
    if (kept.length > 0) continue;
    const separator = pathAndQuery.includes("?") ? "&" : "?";
    pathAndQuery += `${separator}${encodeURIComponent(name)}=${encodeURIComponent(outerValues[0] ?? "")}`;
  }
  return parseWebAddress(`https://${page.host}${pathAndQuery}`);
}

function valuesOf(query: URLSearchParams, wanted: string): string[] {
  return [...query].flatMap(([name, value]) => (name.toLowerCase() === wanted.toLowerCase() ? [value] : []));
}
