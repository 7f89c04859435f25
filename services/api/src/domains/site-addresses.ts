import { Resolver } from "node:dns/promises";
import { isIP } from "node:net";

const LIFETIME_MS = 60_000;
const TIMEOUT_MS = 1_000;

export interface SiteAddresses {
  A: readonly string[];
  AAAA: readonly string[];
}
/** The addresses of the site's host; empty if the DNS has none or does not respond. */
export type FindSiteAddresses = () => Promise<SiteAddresses>;

export function createSiteAddresses(siteHost: string): FindSiteAddresses {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 1 });
  let found: { addresses: Promise<SiteAddresses>; until: number } | null = null;
  return () => {
    if (found === null || found.until <= performance.now()) {
      found = { addresses: resolve(resolver, siteHost), until: performance.now() + LIFETIME_MS };
    }
    return found.addresses;
  };
}

async function resolve(resolver: Resolver, host: string): Promise<SiteAddresses> {
  if (isIP(host) !== 0) return { A: [host], AAAA: [] };
  const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  return {
    A: ipv4.status === "fulfilled" ? ipv4.value.sort() : [],
    AAAA: ipv6.status === "fulfilled" ? ipv6.value.sort() : [],
  };
}
