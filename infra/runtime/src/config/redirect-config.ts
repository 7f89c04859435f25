import * as z from "zod/mini";
import { countryHeader } from "./country-header.ts";
import { parseEnv } from "./env.ts";
import {
  commonSettings,
  portWithDefault,
  positiveInteger,
  postgresUrl,
  preparedStatements,
  rateLimits,
  redisUrl,
  secretKey,
  tracingSettings,
} from "./settings.ts";

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
  DATABASE_READ_URL: z._default(z.nullable(postgresUrl), null),
  PREPARED_STATEMENTS: preparedStatements,
  REDIS_CACHE_URL: redisUrl,
  REDIS_QUEUE_URL: redisUrl,
  LINK_CACHE_BYTES: z._default(linkCacheBytes, 20_000_000),
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
