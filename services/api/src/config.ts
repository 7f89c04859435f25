import { parseEnv } from "@tapthru/runtime/env";
import { commonSettings, portOr, postgresUrl, redisUrl } from "@tapthru/runtime/settings";
import * as z from "zod/mini";

const Config = z.object({
  ...commonSettings,
  PORT: portOr(8081),
  ADMIN_PORT: portOr(9081),
  DATABASE_URL: postgresUrl,
  REDIS_CACHE_URL: redisUrl,
  REDIS_QUEUE_URL: redisUrl,
  EGRESS_STAND_IN_URL: z._default(z.nullable(z.string()), null),
});
export type Config = z.output<typeof Config>;

/** @throws EnvError naming every setting that does not hold */
export function readConfig(): Config {
  return parseEnv(Config, process.env);
}
