import { createAdminServer } from "@tapthru/runtime/http/admin-server";
import { createHttpComponent } from "@tapthru/runtime/http/http-server";
import type { Component } from "@tapthru/runtime/lifecycle";
import { createReadiness } from "@tapthru/runtime/readiness";
import { tracing } from "@tapthru/runtime/tracing/tracing";
import { buildApp } from "./app.ts";
import type { Config } from "./config.ts";
import type { Context } from "./context.ts";

/**
 * The service's parts in the order of their start. Once it has read the changes of the last hour, or
 * Postgres is down and Redis is known to hold them, it stays ready whatever Redis and Postgres do: what it knows it
 * answers, and for the rest a 503 beats no answer.
 */
export async function createParts(config: Config, context: Context): Promise<Component[]> {
  const { tail } = context.resolving;
  const readiness = createReadiness({
    readinessReason: () => (tail.isReady ? null : "the changes of the last hour were not read yet"),
  });
  const app = buildApp(context);
  await app.ready();
  tracing?.traceRequests(app.server);
  const { HOST: host, PORT: port, ADMIN_PORT: adminPort } = config;
  return [
    createAdminServer({ host, port: adminPort, registry: context.registry, readiness }),
    ...context.parts,
    createHttpComponent({ name: "redirect server", server: app.server, host, port }),
    readiness,
  ];
}
