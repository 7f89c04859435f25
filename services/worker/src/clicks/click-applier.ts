import type { ClickBatch } from "@tapthru/proto/clicks/batch";
import { ClickHouseUnavailableError } from "@tapthru/runtime/clickhouse/clickhouse";
import type { Component } from "@tapthru/runtime/lifecycle";
import type { Logger } from "@tapthru/runtime/logger";
import { pause } from "@tapthru/runtime/pause";
import { PostgresUnavailableError } from "@tapthru/runtime/postgres/postgres";
import {
  decodeBatch,
  oldestEntryTime,
  readEntries,
  reclaimEntries,
  removeEntries,
  type StreamEntry,
} from "@tapthru/runtime/redis/click-stream";
import { RedisUnavailableError, type RequestRedis } from "@tapthru/runtime/redis/redis";
import type { CommonQueryMethods } from "slonik";
import type { ApplierMetrics } from "./applier-metrics.ts";
import type { ClickStore } from "./click-store.ts";
import { setCompleteUntil } from "./queries.ts";

/** Batches in one transaction. */
const BATCHES = 20;
const ROUND_MS = 500;
/** A batch that was read this long ago and is still in the queue belongs to a worker that ended. */
const ABANDONED_MS = 15_000;
/** Each redirect replica creates and sends a batch every second. */
const ARRIVAL_MS = 3_000;

export interface ClickApplierDependencies {
  db: Pick<CommonQueryMethods, "query">;
  clickStore: ClickStore;
  queue: Pick<RequestRedis, "run">;
  metrics: ApplierMetrics;
  logger: Logger;
}

/**
 * Applies the batches of the queue to the store, oldest first, and removes each after it was stored. A batch stays in
 * the queue while the store is unavailable, and after a crash of the worker.
 */
export function createClickApplier(deps: ClickApplierDependencies): Component {
  const { db, clickStore, queue, metrics, logger } = deps;
  const stopping = new AbortController();
  let running = Promise.resolve();

  async function readBatches(): Promise<StreamEntry[]> {
    return queue.run(async (redis) => {
      const abandoned = await reclaimEntries(redis, { idleMs: ABANDONED_MS, count: BATCHES });
      return abandoned.length > 0 ? abandoned : readEntries(redis, BATCHES);
    });
  }

  async function applyEntries(entries: readonly StreamEntry[]): Promise<void> {
    const decoded = await Promise.all(entries.map(({ text }) => decodeBatch(text)));
    const batches = decoded.filter((batch): batch is ClickBatch => batch !== null);
    if (batches.length < entries.length)
      logger.error({ event: "click_batch_invalid" }, "a batch of clicks is invalid");
    const rows = await clickStore.apply(batches);
    metrics.observeApplied(batches.length, rows);
  }

  /** Repeats until the batches are applied: they stay with this worker while the store is unavailable. */
  async function applyUntilDone(entries: readonly StreamEntry[]): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        return await applyEntries(entries);
      } catch (err) {
        report(err);
        await measure();
        await pause(ROUND_MS, stopping.signal);
      }
    }
    throw new Error("The worker stops");
  }

  /** @returns whether more batches may wait */
  async function round(): Promise<boolean> {
    const entries = await readBatches();
    if (entries.length > 0) {
      await applyUntilDone(entries);
      const ids = entries.map(({ id }) => id);
      await queue.run((redis) => removeEntries(redis, ids));
    }
    await clickStore.followLinks();
    const oldest = await measure();
    await setCompleteUntil(db, (oldest ?? Date.now()) - ARRIVAL_MS);
    return entries.length === BATCHES;
  }

  async function measure(): Promise<number | null> {
    const oldest = await queue.run(oldestEntryTime);
    metrics.setLag(oldest === null ? 0 : (Date.now() - oldest) / 1_000);
    return oldest;
  }

  function report(err: unknown): void {
    const isUnavailable =
      err instanceof RedisUnavailableError ||
      err instanceof PostgresUnavailableError ||
      err instanceof ClickHouseUnavailableError;
    if (!isUnavailable && !stopping.signal.aborted)
      logger.error({ event: "click_batch_failed", err }, "failed to apply clicks");
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      let hasMore = false;
      try {
        hasMore = await round();
      } catch (err) {
        report(err);
      }
      if (!hasMore) await pause(ROUND_MS, stopping.signal);
    }
  }

  return {
    name: "click applier",
    async start() {
      running = run();
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
