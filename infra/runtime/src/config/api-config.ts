import { existsSync } from "node:fs";
import { ANONYMOUS_CREATES_PER_MINUTE } from "@tapthru/proto/rules/limits";
import * as z from "zod/mini";
import { parseEnv } from "./env.ts";
import {
  clickHouseUrl,
  commonSettings,
  hostAndPort,
  mailAddress,
  portWithDefault,
  positiveInteger,
  postgresUrl,
  preparedStatements,
  rateLimits,
  redisUrl,
  secretKeys,
  tracingSettings,
} from "./settings.ts";

function optional<Schema extends z.ZodMiniType>(schema: Schema) {
  return z._default(z.nullable(schema), null);
}

interface AmazonAdsSettings {
  AMAZON_ADS_CLIENT_ID: string | null;
  AMAZON_ADS_CLIENT_SECRET: string | null;
  ENCRYPTION_KEYS: string[] | null;
}

/** Without Amazon Ads both client settings are unset; with it all three settings are required. */
function requiredForAmazonAds(name: keyof AmazonAdsSettings) {
  return z.refine<AmazonAdsSettings>(
    (config) =>
      config[name] !== null ||
      (config.AMAZON_ADS_CLIENT_ID === null && config.AMAZON_ADS_CLIENT_SECRET === null),
    { path: [name] },
  );
}

export const Config = z
  .object({
    ...commonSettings,
    ...tracingSettings,
    PORT: portWithDefault(8081),
    ADMIN_PORT: portWithDefault(9081),
    DATABASE_URL: postgresUrl,
    PREPARED_STATEMENTS: preparedStatements,
    REDIS_CACHE_URL: redisUrl,
    REDIS_QUEUE_URL: redisUrl,
    REDIS_SESSION_URL: optional(redisUrl),
    CLICKHOUSE_URL: optional(clickHouseUrl),
    SESSION_KEYS: secretKeys,
    ENCRYPTION_KEYS: optional(secretKeys),
    WEBHOOK_KEYS: optional(secretKeys),
    SMTP_FROM: optional(mailAddress),
    FIREBASE_PROJECT_ID: optional(z.string()),
    FIREBASE_AUTH_EMULATOR_HOST: optional(hostAndPort),
    GOOGLE_APPLICATION_CREDENTIALS: optional(
      z.string().check(z.refine(existsSync, "must be the path of a file")),
    ),
    RATE_LIMITS: rateLimits,
    ANONYMOUS_CREATES_PER_MINUTE: z._default(positiveInteger, ANONYMOUS_CREATES_PER_MINUTE),
    EGRESS_STAND_IN_URL: optional(z.string()),
    AMAZON_ADS_CLIENT_ID: optional(z.string()),
    AMAZON_ADS_CLIENT_SECRET: optional(z.string()),
  })
  .check(
    // Google requires a service account to check whether a token was revoked.
    z.refine(
      (config) =>
        config.FIREBASE_PROJECT_ID === null ||
        config.FIREBASE_AUTH_EMULATOR_HOST !== null ||
        config.GOOGLE_APPLICATION_CREDENTIALS !== null,
      { path: ["GOOGLE_APPLICATION_CREDENTIALS"] },
    ),
    requiredForAmazonAds("AMAZON_ADS_CLIENT_ID"),
    requiredForAmazonAds("AMAZON_ADS_CLIENT_SECRET"),
    requiredForAmazonAds("ENCRYPTION_KEYS"),
  );
export type Config = z.output<typeof Config>;

/** @throws EnvError listing every invalid setting */
export function readConfig(): Config {
  return parseEnv(Config, process.env);
}
