import { type CountryDatabase, countryFromHeader } from "./country-database.ts";
import type { VisitRequest } from "./visitor.ts";

interface VisitorCountryOptions {
  /** The header with the country that a trusted proxy sets, in lower case; null if none does. */
  countryHeader: string | null;
  countries: Pick<CountryDatabase, "countryOf">;
}

/** The country of a visitor, of ISO 3166-1, or `unknown`. */
export type CountryOf = (request: VisitRequest) => string;

/** The country is what the header says; without the header that of the address, which is not kept. */
export function createVisitorCountry({ countryHeader, countries }: VisitorCountryOptions): CountryOf {
  return (request) => {
    const header = countryHeader === null ? undefined : request.headers[countryHeader];
    return header === undefined ? countries.countryOf(request.ip ?? "") : countryFromHeader(header);
  };
}
