import { parseEnv } from "@tapthru/runtime/config/env";
import { COMMON_SETTING_RULES } from "@tapthru/runtime/config/setting-rules";
import { commonSettings, postgresUrl } from "@tapthru/runtime/config/settings";
import * as z from "zod/mini";

const password = z.optional(z.string());

/** What the migration takes where it runs in a container. */
export const Config = z.object({
  TAPTHRU_ENV: commonSettings.TAPTHRU_ENV,
  /** Of the role that owns the tables. */
  DATABASE_URL: postgresUrl,
  /** Of the services' login roles; a role whose password is not given is left as it is. */
  API_DATABASE_PASSWORD: password,
  WORKER_DATABASE_PASSWORD: password,
  REDIRECT_DATABASE_PASSWORD: password,
});
export type Config = z.output<typeof Config>;

/** It knows nothing of the site, whose address would be asked for. */
export const SETTING_RULES = COMMON_SETTING_RULES.filter(({ name }) => name in Config.shape);

/** @throws EnvError naming every setting that does not hold */
export function readConfig(): Config {
  return parseEnv(Config, process.env, SETTING_RULES);
}
