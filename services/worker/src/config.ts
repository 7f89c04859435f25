import { parseEnv } from "@tapthru/runtime/env";
import { commonSettings, portOr, postgresUrl, redisUrl } from "@tapthru/runtime/settings";
import * as z from "zod/mini";

const Config = z.object({
  ...commonSettings,
  ADMIN_PORT: portOr(9083),
  DATABASE_URL: postgresUrl,
  REDIS_CACHE_URL: redisUrl,
  REDIS_QUEUE_URL: redisUrl,
});
export type Config = z.output<typeof Config>;

/** @throws EnvError naming every setting that does not hold */
export function readConfig(): Config {
  return parseEnv(Config, process.env);
}
