import { WELL_KNOWN_COUNTRY_HEADERS } from "@tapthru/runtime/config/values";

/**
 * For the http block: services receive the headers with the visitor's country from trusted proxies only. Otherwise
 * visitors could choose the country that is counted.
 * @param own a header that no well-known proxy sends; null: none
 */
export function countryHeaders(own: string | null, hasTrustedProxies: boolean): string {
  const names = new Set([...WELL_KNOWN_COUNTRY_HEADERS, ...(own === null ? [] : [own])]);
  return [...names].map(hasTrustedProxies ? fromTrustedProxies : dropped).join("\n");
}

function dropped(name: string): string {
  return `proxy_set_header ${name} "";`;
}

function fromTrustedProxies(name: string): string {
  const variable = name.replaceAll("-", "_");
  return `
map $is_from_trusted_proxy $trusted_${variable} {
  1 $http_${variable};
}
proxy_set_header ${name} $trusted_${variable};`.trim();
}
