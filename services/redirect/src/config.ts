import { parseEnv } from "@tapthru/runtime/config/env";
import {
  commonSettings,
  portWithDefault,
  positiveInteger,
  postgresUrl,
  rateLimits,
  redisUrl,
  secretKey,
  tracingSettings,
} from "@tapthru/runtime/config/settings";
import * as z from "zod/mini";

/** The headers with the country of well-known proxies. In Fastly the owner of the service sets it. */
const COUNTRY_HEADERS: ReadonlyMap<string, string> = new Map([
  ["cloudflare", "cf-ipcountry"],
  ["cloudfront", "cloudfront-viewer-country"],
  ["fastly", "x-fastly-country-code"],
  ["google", "x-appengine-country"],
  ["vercel", "x-vercel-ip-country"],
]);

/** The name of a proxy or a header. The result is in lower case, as Node has it. */
const countryHeader = z.pipe(
  z
    .string()
    .check(
      z.regex(
        /^[\w-]{1,60}$/,
        `must be ${[...COUNTRY_HEADERS.keys()].join(", ")} or the name of a header such as CF-IPCountry`,
      ),
    ),
  z.transform((name: string) => COUNTRY_HEADERS.get(name.toLowerCase()) ?? name.toLowerCase()),
);

/** Rendered pages, and the links that were requested last, take up to 6 MB of it. */
const linkCacheBytes = positiveInteger.check(
  z.minimum(16_000_000, "must be a whole number from 16000000 to 999999999"),
);

export const Config = z.object({
  ...commonSettings,
  ...tracingSettings,
  PORT: portWithDefault(8082),
  ADMIN_PORT: portWithDefault(9082),
  DATABASE_URL: postgresUrl,
  REDIS_CACHE_URL: redisUrl,
  REDIS_QUEUE_URL: redisUrl,
  LINK_CACHE_BYTES: z._default(linkCacheBytes, 32_000_000),
  APP_OPENING_FILE: z._default(z.nullable(z.string()), null),
  OUTCOME_KEY: secretKey,
  RATE_LIMITS: rateLimits,
  CLICKS: z._default(z.enum(["on", "off"], "must be on or off"), "on"),
  COUNTRY_HEADER: z._default(z.nullable(countryHeader), null),
  COUNTRY_DATABASE: z._default(z.nullable(z.string()), null),
});
export type Config = z.output<typeof Config>;

/** @throws EnvError that names every invalid setting */
export function readConfig(): Config {
  return parseEnv(Config, process.env);
}
