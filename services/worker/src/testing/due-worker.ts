import { createJobWorkers } from "@tapthru/core/platform/jobs/workers";
import { createLogger } from "@tapthru/core/platform/logger";
import { createPostgres } from "@tapthru/core/platform/postgres/postgres";
import { Registry } from "prom-client";
import { createJobs } from "../registry.ts";
import { createDueApp } from "./due-app.ts";

// A process with the queues of a worker. It reports its work outside of Postgres to its parent, and never ends the work in `hanging`.
const [databaseUrl = "", redisUrl = "", hanging = ""] = process.argv.slice(2);

const logger = createLogger({ service: "test", level: "fatal" });
const db = createPostgres({
  url: databaseUrl,
  applicationName: "due-worker",
  maxConnections: 30,
  statementTimeoutMs: 600_000,
  acquireTimeoutMs: 600_000,
  logger,
});
const app = createDueApp(db, async (at, row) => {
  process.send?.(`${at} ${row}`);
  if (hanging.split(",").includes(`${at} ${row}`)) await new Promise(() => {});
});
const workers = createJobWorkers({ ...createJobs(app), redisUrl, registry: new Registry(), logger });
await workers.start?.();
