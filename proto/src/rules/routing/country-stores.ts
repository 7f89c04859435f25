import { isMarketplace, MARKETPLACES, type Marketplace } from "../amazon/marketplaces.ts";

/**
 * The stores that people of countries without an Amazon store of their own use, the nearest first: where Amazon delivers,
 * and in a language that is spoken there. Countries that are not listed have none.
 */
const NEIGHBOURS: Readonly<Record<string, readonly Marketplace[]>> = {
  AD: ["es", "fr"],
  AT: ["de"],
  BG: ["de"],
  BH: ["ae", "sa"],
  BW: ["co.za"],
  CH: ["de", "fr", "it"],
  CY: ["de", "co.uk"],
  CZ: ["de"],
  DK: ["de", "se"],
  EE: ["de"],
  FI: ["de", "se"],
  GG: ["co.uk"],
  GI: ["co.uk", "es"],
  GR: ["de", "it"],
  GU: ["com"],
  HR: ["de", "it"],
  HU: ["de"],
  IM: ["co.uk"],
  IS: ["co.uk", "de"],
  JE: ["co.uk"],
  KW: ["ae", "sa"],
  LI: ["de"],
  LS: ["co.za"],
  LT: ["de", "pl"],
  LU: ["de", "fr"],
  LV: ["de"],
  MC: ["fr"],
  MT: ["it", "co.uk"],
  MY: ["sg"],
  NA: ["co.za"],
  NO: ["se", "de"],
  NZ: ["com.au"],
  OM: ["ae", "sa"],
  PR: ["com"],
  PT: ["es"],
  QA: ["ae", "sa"],
  RO: ["de"],
  SI: ["de", "it"],
  SK: ["de"],
  SM: ["it"],
  SZ: ["co.za"],
  VA: ["it"],
  VI: ["com"],
};

const OWN = Object.keys(MARKETPLACES)
  .filter(isMarketplace)
  .map((marketplace) => [MARKETPLACES[marketplace].country, [marketplace]] as const);

const STORES: ReadonlyMap<string, readonly Marketplace[]> = new Map([...Object.entries(NEIGHBOURS), ...OWN]);

/** The preferred one first. @param country of ISO 3166-1, such as DE; anything else has none */
export function storesFor(country: string): readonly Marketplace[] {
  return STORES.get(country) ?? [];
}
