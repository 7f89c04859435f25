import type { Config } from "@tapthru/core/platform/config/configs";
import { createAdminServer } from "@tapthru/core/platform/http/admin-server";
import { createJobWorkers } from "@tapthru/core/platform/jobs/workers";
import type { Component } from "@tapthru/core/platform/lifecycle";
import { createReadiness } from "@tapthru/core/platform/readiness";
import { createClickApplier } from "./clicks/click-applier.ts";
import type { Context } from "./context.ts";
import { queuePagesOf } from "./jobs/scrape-metadata/queue-attempts.ts";
import { createJobs } from "./registry.ts";
import { createRelay } from "./relay/relay.ts";

export function createComponents(config: Config<"worker">, context: Context): Component[] {
  const { clients, logger, registry } = context;
  const relay = createRelay({ ...context, queuePagesOf: (codes) => queuePagesOf(context, codes) });
  const workers = createJobWorkers({
    ...createJobs(context),
    redisUrl: config.REDIS_QUEUE_URL,
    registry,
    logger,
    ping: context.ping,
  });
  const clickApplier = createClickApplier(context);
  const readiness = createReadiness({
    readinessReason: () => context.readinessReason() ?? workers.readinessReason(),
  });
  const { HOST: host, ADMIN_PORT: port } = config;
  const adminServer = createAdminServer({ host, port, registry, logger, readiness });
  return [adminServer, ...clients, relay, clickApplier, workers, readiness];
}
