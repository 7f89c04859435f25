import { parseEnv } from "@tapthru/runtime/config/env";
import {
  commonSettings,
  portWithDefault,
  postgresUrl,
  rateLimits,
  redisUrl,
  secretKey,
  tracingSettings,
} from "@tapthru/runtime/config/settings";
import * as z from "zod/mini";

export const Config = z.object({
  ...commonSettings,
  ...tracingSettings,
  PORT: portWithDefault(8082),
  ADMIN_PORT: portWithDefault(9082),
  DATABASE_URL: postgresUrl,
  REDIS_CACHE_URL: redisUrl,
  APP_OPENING_FILE: z._default(z.nullable(z.string()), null),
  OUTCOME_KEY: secretKey,
  RATE_LIMITS: rateLimits,
});
export type Config = z.output<typeof Config>;

/** @throws EnvError that names every invalid setting */
export function readConfig(): Config {
  return parseEnv(Config, process.env);
}
