import * as z from "zod/mini";

/** The headers with the country of well-known proxies. In Fastly the owner of the service sets it. */
const WELL_KNOWN: ReadonlyMap<string, string> = new Map([
  ["cloudflare", "cf-ipcountry"],
  ["cloudfront", "cloudfront-viewer-country"],
  ["fastly", "x-fastly-country-code"],
  ["google", "x-appengine-country"],
  ["vercel", "x-vercel-ip-country"],
]);
export const WELL_KNOWN_COUNTRY_HEADERS: readonly string[] = [...WELL_KNOWN.values()];

/** The name of a proxy or a header; nginx drops headers with an underscore. The result is in lower case, as Node has it. */
export const countryHeader = z.pipe(
  z
    .string()
    .check(
      z.regex(
        /^[A-Za-z\d-]{1,60}$/,
        `must be ${[...WELL_KNOWN.keys()].join(", ")} or the name of a header such as CF-IPCountry`,
      ),
    ),
  z.transform((name: string) => WELL_KNOWN.get(name.toLowerCase()) ?? name.toLowerCase()),
);
