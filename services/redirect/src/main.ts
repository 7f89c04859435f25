import { type Config, readConfigAtBoot } from "@tapthru/core/platform/config/configs";
import { createAdminServer } from "@tapthru/core/platform/http/admin-server";
import { createHttpComponent } from "@tapthru/core/platform/http/http-server";
import { type Component, runComponents } from "@tapthru/core/platform/lifecycle";
import { createLogger } from "@tapthru/core/platform/logger";
import { createReadiness } from "@tapthru/core/platform/readiness";
import { buildApp } from "./app.ts";
import { type Context, createContext } from "./context.ts";

const config = readConfigAtBoot("redirect");
const logger = createLogger({ service: "redirect", level: config.LOG_LEVEL });
const context = createContext(config, logger);
// The server takes up to 7 s to stop, and the click sender 6 s.
await runComponents(logger, await createComponents(config, context), { deadlineMs: 14_000 });
logger.info({ event: "service_started", host: config.HOST, port: config.PORT }, "redirect started");

/**
 * The components in start order. The service is ready once it has read the changes of the last hour, or if Postgres is
 * unavailable and Redis is known to hold them. It then stays ready: without Redis and Postgres, it serves cached links
 * and responds to other codes with 503.
 */
async function createComponents(config: Config<"redirect">, context: Context): Promise<Component[]> {
  const { registry, logger, resolverStack } = context;
  const { tail } = resolverStack;
  const readiness = createReadiness({
    readinessReason: () => (tail.isReady ? null : "the changes of the last hour have not been read yet"),
    note: () => tail.note,
  });
  const app = buildApp(context);
  await app.ready();
  const { HOST: host, PORT: port, ADMIN_PORT: adminPort } = config;
  return [
    createAdminServer({ host, port: adminPort, registry, logger, readiness }),
    ...context.components,
    createHttpComponent({ name: "redirect server", server: app.server, host, port }),
    readiness,
  ];
}
