import * as z from "zod/mini";
import { creatorsSettings } from "./creators-settings.ts";
import { parseEnv } from "./env.ts";
import {
  clickHouseUrl,
  commonSettings,
  mailAddress,
  portWithDefault,
  positiveInteger,
  postgresUrl,
  redisUrl,
  secretKeys,
  smtpUrl,
  tracingSettings,
} from "./settings.ts";

export const Config = z
  .object({
    ...commonSettings,
    ...tracingSettings,
    ADMIN_PORT: portWithDefault(9083),
    DATABASE_URL: postgresUrl,
    REDIS_CACHE_URL: redisUrl,
    REDIS_QUEUE_URL: redisUrl,
    CLICKHOUSE_URL: z._default(z.nullable(clickHouseUrl), null),
    EGRESS_STAND_IN_URL: z._default(z.nullable(z.string()), null),
    WEBHOOK_KEYS: z._default(z.nullable(secretKeys), null),
    METADATA_PAGE_FETCH: z._default(z.enum(["on", "off"], "must be on or off"), "on"),
    CLICKS_DAILY_DAYS: z._default(positiveInteger, 100),
    CLICKS_KEPT_MONTHS: z._default(positiveInteger, 25),
    SMTP_URL: z._default(z.nullable(smtpUrl), null),
    SMTP_FROM: z._default(z.nullable(mailAddress), null),
    ...creatorsSettings,
  })
  .check(
    z.refine((config) => config.SMTP_URL === null || config.SMTP_FROM !== null, {
      path: ["SMTP_FROM"],
    }),
    // The api offers the weekly email if it has SMTP_FROM.
    z.refine((config) => config.SMTP_FROM === null || config.SMTP_URL !== null, {
      path: ["SMTP_URL"],
    }),
  );
export type Config = z.output<typeof Config>;

/** @throws EnvError with every invalid setting */
export function readConfig(): Config {
  return parseEnv(Config, process.env);
}
