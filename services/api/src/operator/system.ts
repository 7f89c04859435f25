import { record } from "@tapthru/core/events";
import type { Logger } from "@tapthru/core/platform/logger";
import { type Db, PostgresUnavailableError } from "@tapthru/core/platform/postgres/postgres";
import { RedisUnavailableError } from "@tapthru/core/platform/redis/errors";
import { withDeadline } from "@tapthru/core/platform/waiting";
import * as calls from "@tapthru/proto/operator/system";
import { FailedItem } from "@tapthru/proto/operator/system";
import { sql } from "slonik";
import * as z from "zod/mini";
import { handlers } from "../callers/handlers.ts";
import { featuresOf, withoutLogins } from "./installation.ts";

const TIMEOUT_MS = 1_000;
const FAILED_ITEMS_SHOWN = 50;

export const systemHandlers = handlers(calls, {
  getSystem: async ({ config, countFailedJobs, db, logger }, { ctx }) => {
    const [failedJobs, failedItems] = await Promise.all([
      stateOf(logger, "queues", countFailedJobs()),
      stateOf(logger, "failed items", readFailedItems(db)),
    ]);
    // The gateway sets or removes this header.
    const untrustedProxy = ctx.get("X-Untrusted-Proxy") || null;
    return { failedJobs, failedItems, features: featuresOf(config), untrustedProxy };
  },

  retryItems: ({ db }) =>
    db.transaction(async (transaction) => {
      const { rowCount: count } = await transaction.query(sql.type(z.object({}))`
        UPDATE failed_items SET retry_at = now() WHERE retry_at > now()
      `);
      const about = { objectId: "all", object: "all", ownerId: null, after: { count } };
      await record(transaction, "items.retried", about);
      return { count };
    }),
});

/** Returns null if it does not respond in time. */
async function stateOf<T>(logger: Logger, component: string, work: Promise<T>): Promise<T | null> {
  try {
    return await withDeadline(work, TIMEOUT_MS, () => new Error("It responds too late"));
  } catch (err) {
    // Their clients log that they are unavailable.
    if (!(err instanceof PostgresUnavailableError || err instanceof RedisUnavailableError))
      logger.warn({ event: "system_component_not_read", err, component }, "failed to read a state");
    return null;
  }
}

const FailedRow = z.extend(FailedItem, { total: z.int() });

async function readFailedItems(db: Db<"any">) {
  const rows = await db.any(sql.type(FailedRow)`
    SELECT kind, key, error, attempts, utc_text(first_failed_at) AS "firstFailedAt", utc_text(retry_at) AS "retryAt",
      count(*) OVER ()::int AS total
    FROM failed_items ORDER BY retry_at, kind, key LIMIT ${FAILED_ITEMS_SHOWN}
  `);
  const items = rows.map((row) => ({ ...row, error: withoutLogins(row.error) ?? "" }));
  return { count: rows[0]?.total ?? 0, items };
}
