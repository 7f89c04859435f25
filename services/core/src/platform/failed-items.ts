import type { Registry } from "prom-client";
import { type CommonQueryMethods, type FragmentSqlToken, sql } from "slonik";
import * as z from "zod/mini";
import type { Logger } from "./logger.ts";
import { PostgresTimeoutError, PostgresUnavailableError } from "./postgres/errors.ts";
import { registerMeasured } from "./postgres/metrics.ts";
import { RedisUnavailableError } from "./redis/errors.ts";

const ERROR_MAX_LENGTH = 500;

/** A loop over rows, users, domains or files. One that fails does not delay the others. */
export interface ItemLoop {
  db: Pick<CommonQueryMethods, "any" | "query">;
  logger: Pick<Logger, "error">;
  kind: string;
  signal: AbortSignal;
}

/**
 * Does the work for one item after the other, without those that are quarantined. One that fails is quarantined for a minute, and up
 * to six hours if it fails again. Ends when the work returns false, or the signal is aborted.
 * @throws if a store is unavailable, or the work was aborted: that is no failure of the item
 */
export async function processEach<T>(
  loop: ItemLoop,
  items: readonly T[],
  keyOf: (item: T) => string | number,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const failed = await findFailed(
    loop,
    items.map((item) => String(keyOf(item))),
  );
  for (const item of items) {
    if (loop.signal.aborted) return;
    const key = String(keyOf(item));
    const isQuarantined = failed.get(key) ?? null;
    if (isQuarantined === true) continue;
    const result = await processItem(loop, key, () => work(item), isQuarantined !== null);
    if (result === false) return;
  }
}

/**
 * Does the work for one item, as `processEach` does, whether it is quarantined or not.
 * @param mayHaveFailed false: it is known that it did not fail before @returns null if it failed
 */
export async function processItem<T>(
  loop: ItemLoop,
  key: string | number,
  work: () => Promise<T>,
  mayHaveFailed = true,
): Promise<T | null> {
  try {
    const result = await work();
    if (mayHaveFailed) await deleteFailed(loop, [String(key)]);
    return result;
  } catch (err) {
    if (loop.signal.aborted || isUnavailable(err)) throw err;
    const { kind, logger } = loop;
    logger.error({ event: "item_failed", kind, key, err }, "an item failed and is quarantined");
    await quarantine(loop, String(key), textOf(err));
    return null;
  }
}

/**
 * Does the work for all items at once, without those that are quarantined, or for each on its own if that fails. Throws as
 * `processEach` does.
 */
export async function processAllOrEach<T>(
  loop: ItemLoop,
  items: readonly T[],
  keyOf: (item: T) => string | number,
  work: (items: readonly T[]) => Promise<unknown>,
): Promise<void> {
  const textKey = (item: T) => String(keyOf(item));
  const failed = await findFailed(loop, items.map(textKey));
  const due = items.filter((item) => failed.get(textKey(item)) !== true);
  if (due.length === 0) return;
  try {
    await work(due);
    if (failed.size > 0) await deleteFailed(loop, due.map(textKey));
  } catch (error) {
    if (loop.signal.aborted || isUnavailable(error)) throw error;
    await processEach(loop, due, keyOf, (item) => work([item]));
  }
}

/** Returns true if all items fail now. A statement that took too long may be the fault of one. */
export function isUnavailable(error: unknown): boolean {
  return (
    (error instanceof PostgresUnavailableError && !(error instanceof PostgresTimeoutError)) ||
    error instanceof RedisUnavailableError
  );
}

/** A condition of a statement that selects items, so that those that fail do not take the places of others. */
export function isNotQuarantined(kind: string, key: FragmentSqlToken): FragmentSqlToken {
  return sql.fragment`NOT EXISTS (
    SELECT FROM failed_items WHERE kind = ${kind} AND key = (${key})::text AND retry_at > now()
  )`;
}

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error).replaceAll("\0", "");
  const { message, cause } = error;
  const text = cause === undefined ? message : `${message} (${textOf(cause)})`;
  return text.replaceAll("\0", "").slice(0, ERROR_MAX_LENGTH);
}

const Nothing = z.object({});
const FailedItem = z.object({ key: z.string(), isQuarantined: z.boolean() });

async function findFailed({ db, kind }: ItemLoop, keys: readonly string[]): Promise<ReadonlyMap<string, boolean>> {
  if (keys.length === 0) return new Map();
  const rows = await db.any(sql.type(FailedItem)`
    SELECT key, retry_at > now() AS "isQuarantined" FROM failed_items
    WHERE kind = ${kind} AND key = ANY(${sql.array(keys, "text")})
  `);
  return new Map(rows.map(({ key, isQuarantined }) => [key, isQuarantined]));
}

async function quarantine({ db, kind }: ItemLoop, key: string, error: string): Promise<void> {
  await db.query(sql.type(Nothing)`
    INSERT INTO failed_items AS item (kind, key, error, retry_at)
    VALUES (${kind}, ${key}, ${error}, now() + interval '1 minute')
    ON CONFLICT (kind, key) DO UPDATE SET error = excluded.error, attempts = item.attempts + 1,
      retry_at = now() + least(interval '6 hours', interval '1 minute' * 2 ^ least(item.attempts, 9))
  `);
}

async function deleteFailed({ db, kind }: ItemLoop, keys: readonly string[]): Promise<void> {
  await db.query(sql.type(Nothing)`
    DELETE FROM failed_items WHERE kind = ${kind} AND key = ANY(${sql.array(keys, "text")})
  `);
}

const KindCount = z.object({ kind: z.string(), count: z.int() });

export function registerFailedItems(
  registry: Registry,
  { db, logger }: { db: Pick<CommonQueryMethods, "any">; logger: Logger },
): void {
  registerMeasured(registry, logger, {
    name: "tapthru_failed_items",
    help: "Rows, users, domains or files that are quarantined because they failed",
    labelNames: ["kind"],
    read: () =>
      db.any(sql.type(KindCount)`
        SELECT kind, count(*)::int AS count FROM failed_items GROUP BY kind
      `),
    show(gauge, counts) {
      gauge.reset();
      for (const { kind, count } of counts) gauge.set({ kind }, count);
    },
  });
}
