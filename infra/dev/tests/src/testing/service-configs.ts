import { readConfig as parse } from "@tapthru/runtime/config/configs";
import type { Env } from "@tapthru/runtime/config/env";
import { type Program, shapeOf } from "@tapthru/runtime/config/settings";

/** The programs that run in a container of their own settings. */
export const SERVICES = [
  "api",
  "redirect",
  "worker",
  "region-relay",
  "gateway",
  "migrate",
] as const satisfies Program[];
export type Service = (typeof SERVICES)[number];

/** The names of the settings that the service reads. */
export function settingsOf(service: Service): string[] {
  return Object.keys(shapeOf(service));
}

/**
 * Parses the configuration of a service from its environment and the settings of its image.
 * @throws EnvError for an invalid configuration
 */
export function readConfig(service: Service, env: Env) {
  return parse(service, { WEB_ROOT: "/app/web/dist", ...env });
}
