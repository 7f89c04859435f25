import { Config as Gateway } from "@tapthru/gateway/config";
import { Config as Migrate, SETTING_RULES as OF_MIGRATE } from "@tapthru/postgres/config";
import { Config as Api } from "@tapthru/runtime/config/api-config";
import { type Env, parseEnv } from "@tapthru/runtime/config/env";
import { Config as Redirect } from "@tapthru/runtime/config/redirect-config";
import { Config as Worker } from "@tapthru/runtime/config/worker-config";
import { RegionConfig } from "@tapthru/worker/region/config";

const CONFIGS = {
  api: Api,
  redirect: Redirect,
  worker: Worker,
  "region-relay": RegionConfig,
  gateway: Gateway,
  migrate: Migrate,
};

/** The programs that run in a container and read their own configuration. */
export type Service = keyof typeof CONFIGS;
export const SERVICES = Object.keys(CONFIGS) as Service[];

/** The names of the settings that the service reads. */
export function settingsOf(service: Service): string[] {
  return Object.keys(CONFIGS[service].shape);
}

/**
 * Parses the configuration of a service from its environment and the settings of its image.
 * @throws EnvError for an invalid configuration
 */
export function readConfig(service: Service, env: Env) {
  const refusals = service === "migrate" ? OF_MIGRATE : undefined;
  return parseEnv(CONFIGS[service], { WEB_ROOT: "/app/web/dist", ...env }, refusals);
}
