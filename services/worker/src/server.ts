import { createAdminServer } from "@tapthru/runtime/admin-server";
import type { Part } from "@tapthru/runtime/lifecycle";
import { createReadiness } from "@tapthru/runtime/readiness";
import type { Config } from "./config.ts";
import type { Context } from "./context.ts";

/** The service's parts in the order of their start. */
export function createParts(config: Config, context: Context): Part[] {
  const readiness = createReadiness();
  const { HOST: host, ADMIN_PORT: port } = config;
  return [
    createAdminServer({ host, port, registry: context.registry, readiness }),
    ...context.clients,
    readiness,
  ];
}
