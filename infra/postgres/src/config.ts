import { parseEnv } from "@tapthru/runtime/config/env";
import { COMMON_SETTING_RULES } from "@tapthru/runtime/config/setting-rules";
import { commonSettings, postgresUrl } from "@tapthru/runtime/config/settings";
import * as z from "zod/mini";

const password = z.optional(z.string());

/** The configuration of the migration in a container. */
export const Config = z.object({
  TAPTHRU_ENV: commonSettings.TAPTHRU_ENV,
  /** URL of the role that owns the tables. */
  DATABASE_URL: postgresUrl,
  /** Passwords of the services' login roles; a role without one here is not changed. */
  API_DATABASE_PASSWORD: password,
  WORKER_DATABASE_PASSWORD: password,
  REDIRECT_DATABASE_PASSWORD: password,
});
export type Config = z.output<typeof Config>;

/** Without the site's settings, which the migration does not need. */
export const SETTING_RULES = COMMON_SETTING_RULES.filter(({ name }) => name in Config.shape);

/** @throws EnvError with every invalid setting */
export function readConfig(): Config {
  return parseEnv(Config, process.env, SETTING_RULES);
}
