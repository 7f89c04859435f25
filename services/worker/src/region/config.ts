import { parseEnv } from "@tapthru/runtime/config/env";
import {
  commonSettings,
  portWithDefault,
  postgresUrl,
  redisUrl,
} from "@tapthru/runtime/config/settings";
import * as z from "zod/mini";

const { TAPTHRU_ENV, TAPTHRU_VERSION, PUBLIC_BASE_URL, PRODUCT_NAME, CONTACT_EMAIL } =
  commonSettings;

export const RegionConfig = z.object({
  TAPTHRU_ENV,
  TAPTHRU_VERSION,
  PUBLIC_BASE_URL,
  PRODUCT_NAME,
  CONTACT_EMAIL,
  HOST: commonSettings.HOST,
  LOG_LEVEL: commonSettings.LOG_LEVEL,
  ADMIN_PORT: portWithDefault(9083),
  /** The primary, with the role of the redirect, which may only read. */
  DATABASE_URL: postgresUrl,
  REDIS_CACHE_URL: redisUrl,
});
export type RegionConfig = z.output<typeof RegionConfig>;

/** @throws EnvError with every invalid setting */
export function readRegionConfig(): RegionConfig {
  return parseEnv(RegionConfig, process.env);
}
