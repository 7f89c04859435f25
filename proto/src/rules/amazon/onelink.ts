import type { Marketplace } from "./marketplaces.ts";

/** The store whose tags Amazon OneLink pays in other stores. */
export const ONELINK_HOME = "com";

/**
 * Where Amazon OneLink can pay a tag of amazon.com, if the associate set it up
 * (affiliate-program.amazon.com/resource-center/onelink, read 2026-11-22).
 */
export const ONELINK_STORES = [
  "ca",
  "co.uk",
  "de",
  "fr",
  "it",
  "es",
  "nl",
  "se",
  "pl",
  "co.jp",
  "sg",
  "com.au",
] as const satisfies readonly Marketplace[];
export type OneLinkStore = (typeof ONELINK_STORES)[number];

const STORES: ReadonlySet<string> = new Set(ONELINK_STORES);

export function isOneLinkStore(text: string): text is OneLinkStore {
  return STORES.has(text);
}
