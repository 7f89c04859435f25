import type { Router } from "@koa/router";
import { getSystem, retryItems } from "@tapthru/proto/http/operator/system";
import { recordAction } from "@tapthru/runtime/audit-log";
import type { Config } from "@tapthru/runtime/config/configs";
import type { JobAdmin } from "@tapthru/runtime/jobs/admin";
import type { Logger } from "@tapthru/runtime/logger";
import { type Db, PostgresUnavailableError } from "@tapthru/runtime/postgres/postgres";
import { RedisBudget } from "@tapthru/runtime/redis/budget";
import { masterServers } from "@tapthru/runtime/redis/client";
import { RedisUnavailableError } from "@tapthru/runtime/redis/errors";
import type { RequestRedis } from "@tapthru/runtime/redis/redis";
import { withDeadline } from "@tapthru/runtime/waiting";
import { cached } from "../cached.ts";
import type { Caller } from "../http/guards.ts";
import { type Guard, mount } from "../http/mount.ts";
import { featuresOf, settingsOf, withoutLogins } from "./installation.ts";
import {
  countImports,
  countPageReads,
  findFailedItems,
  findOutbox,
  findPostgresState,
  retryFailedItems,
} from "./system-queries.ts";

const PAGE_READS_CACHED_MS = 60_000;
/** Of each component. */
const TIMEOUT_MS = 1_000;
/** Failed jobs of each queue in the reply. */
const FAILED_SHOWN = 20;
const FAILED_ITEMS_SHOWN = 50;
const REASON_MAX_LENGTH = 500;

export interface SystemDependencies {
  config: Config<"api">;
  db: Db<"any" | "one" | "transaction">;
  /** One for each role. */
  redises: readonly RequestRedis[];
  jobAdmin: Pick<JobAdmin, "readQueues">;
  logger: Logger;
}

export interface SystemRoutesDependencies {
  system: SystemDependencies;
  operator: Guard<Caller>;
}

export function systemRoutes(router: Router, { system, operator }: SystemRoutesDependencies) {
  const readPageReads = cached(
    PAGE_READS_CACHED_MS,
    () => countPageReads(system.db),
    () => Date.now(),
  );
  mount(router, getSystem, operator, async () => ({
    status: 200,
    body: await readSystem(system, readPageReads),
  }));

  mount(router, retryItems, operator, async () => {
    const count = await system.db.transaction(async (transaction) => {
      const retried = await retryFailedItems(transaction);
      const about = { objectId: "all", object: "all", ownerId: null, after: { count: retried } };
      await recordAction(transaction, { action: "items.retried", ...about });
      return retried;
    });
    return { status: 200, body: { count } };
  });
}

/** @param readPageReads counts all products, of which there may be millions */
async function readSystem(
  { config, db, redises, jobAdmin, logger }: SystemDependencies,
  readPageReads: () => ReturnType<typeof countPageReads>,
) {
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

  const [postgres, failedItems, outbox, imports, pageReads, queues, ...redis] = await Promise.all([
    stateOf("postgres", findPostgresState(db)),
    stateOf("failed items", readFailedItems(db)),
    stateOf("outbox", findOutbox(db)),
    stateOf("imports", countImports(db)),
    stateOf("page reads", readPageReads()),
    stateOf("queues", readQueues(jobAdmin)),
    ...redises.map(async (each) => ({
      name: each.role,
      state: await stateOf(`redis ${each.role}`, readRedis(each)),
    })),
  ]);
  return {
    version: config.TAPTHRU_VERSION,
    environment: config.TAPTHRU_ENV,
    postgres,
    redis,
    queues,
    failedItems,
    outbox,
    imports,
    pageReads,
    features: featuresOf(config),
    settings: settingsOf(config),
  };
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

async function readQueues(jobAdmin: SystemDependencies["jobAdmin"]) {
  const queues = await jobAdmin.readQueues(FAILED_SHOWN);
  return queues.map((queue) => ({
    ...queue,
    failed: queue.failed.map(({ id, failedAt, attempts, reason }) => ({
      id,
      failedAt: new Date(failedAt).toISOString(),
      attempts,
      reason: withoutLogins(reason)?.slice(0, REASON_MAX_LENGTH) ?? "",
    })),
  }));
}

async function readRedis(redis: RequestRedis) {
  const infos = await redis.run(
    async (client) => Promise.all((await masterServers(client)).map((server) => server.info())),
    new RedisBudget(TIMEOUT_MS),
  );
  return redisState(infos);
}

/** @param infos INFO of the server, or of each master of a cluster, whose memory is added up */
function redisState(infos: readonly string[]) {
  const fieldOf = (info = "", name = "") =>
    new RegExp(`^${name}:(.+?)\\r?$`, "m").exec(info)?.[1] ?? "";
  const sumOf = (name: string) => infos.reduce((sum, info) => sum + Number(fieldOf(info, name)), 0);
  return {
    role: fieldOf(infos[0], "role"),
    version: fieldOf(infos[0], "redis_version"),
    usedBytes: sumOf("used_memory"),
    maxBytes: sumOf("maxmemory") || null,
    policy: fieldOf(infos[0], "maxmemory_policy"),
  };
}
