import { recordAction } from "@tapthru/core/platform/audit-log";
import type { Config } from "@tapthru/core/platform/config/configs";
import type { JobAdmin } from "@tapthru/core/platform/jobs/admin";
import type { Logger } from "@tapthru/core/platform/logger";
import { type Db, PostgresUnavailableError } from "@tapthru/core/platform/postgres/postgres";
import { RedisUnavailableError } from "@tapthru/core/platform/redis/errors";
import { withDeadline } from "@tapthru/core/platform/waiting";
import { getSystem, retryItems } from "@tapthru/proto/http/operator/system";
import { type ApiRouter, mount } from "../http/mount.ts";
import { featuresOf, withoutLogins } from "./installation.ts";
import { findFailedItems, retryFailedItems } from "./system-queries.ts";

/** Of each component. */
const TIMEOUT_MS = 1_000;
/** Failed jobs of each queue in the reply. */
const FAILED_SHOWN = 20;
const FAILED_ITEMS_SHOWN = 50;
const REASON_MAX_LENGTH = 500;

export interface SystemDependencies {
  config: Config<"api">;
  db: Db<"any" | "transaction">;
  jobAdmin: Pick<JobAdmin, "readQueues">;
  logger: Logger;
}

export interface SystemRoutesDependencies {
  system: SystemDependencies;
}

export function systemRoutes(router: ApiRouter, { system }: SystemRoutesDependencies) {
  mount(router, getSystem, async () => ({
    status: 200,
    body: await readSystem(system),
  }));

  mount(router, retryItems, async () => {
    const count = await system.db.transaction(async (transaction) => {
      const retried = await retryFailedItems(transaction);
      const about = { objectId: "all", object: "all", ownerId: null, after: { count: retried } };
      await recordAction(transaction, { action: "items.retried", ...about });
      return retried;
    });
    return { status: 200, body: { count } };
  });
}

async function readSystem({ config, db, jobAdmin, logger }: SystemDependencies) {
  /** Null if it does not respond in time. */
  async function stateOf<T>(name: string, work: Promise<T>): Promise<T | null> {
    try {
      return await withDeadline(work, TIMEOUT_MS, () => new Error("It responds too late"));
    } catch (err) {
      // Their clients log that they are unavailable.
      if (!(err instanceof PostgresUnavailableError || err instanceof RedisUnavailableError))
        logger.warn(
          { event: "system_component_not_read", err, component: name },
          "failed to read a state",
        );
      return null;
    }
  }

  const [failedJobs, failedItems] = await Promise.all([
    stateOf("queues", readFailedJobs(jobAdmin)),
    stateOf("failed items", readFailedItems(db)),
  ]);
  return { failedJobs, failedItems, features: featuresOf(config) };
}

async function readFailedItems(db: SystemDependencies["db"]) {
  const rows = await findFailedItems(db, FAILED_ITEMS_SHOWN);
  const items = rows.map(({ total: _, error, firstFailedAt, retryAt, ...item }) => ({
    ...item,
    error: withoutLogins(error) ?? "",
    firstFailedAt: new Date(firstFailedAt).toISOString(),
    retryAt: new Date(retryAt).toISOString(),
  }));
  return { count: rows[0]?.total ?? 0, items };
}

async function readFailedJobs(jobAdmin: SystemDependencies["jobAdmin"]) {
  const queues = await jobAdmin.readQueues(FAILED_SHOWN);
  return queues
    .filter(({ failedCount }) => failedCount > 0)
    .map(({ job, failedCount, failed }) => ({
      job,
      count: failedCount,
      latest: failed.map(({ id, failedAt, attempts, reason }) => ({
        id,
        failedAt: new Date(failedAt).toISOString(),
        attempts,
        reason: withoutLogins(reason)?.slice(0, REASON_MAX_LENGTH) ?? "",
      })),
    }));
}
