import { isUnavailable } from "@tapthru/core/platform/failed-items";
import type { Component } from "@tapthru/core/platform/lifecycle";
import type { Issue } from "@tapthru/core/platform/logger";
import { PostgresLockedError, PostgresTimeoutError } from "@tapthru/core/platform/postgres/errors";
import {
  decodeBatch,
  oldestEntryTime,
  quarantineEntry,
  readEntries,
  reclaimEntries,
  removeEntries,
  type StreamEntry,
} from "@tapthru/core/platform/redis/click-stream";
import { logInvalidRecord } from "@tapthru/core/platform/unreadable";
import { pause } from "@tapthru/core/platform/waiting";
import { CLICK_STREAMS, type ClickBatch, type ClickStream } from "@tapthru/proto/clicks/batch";
import type { App } from "../app.ts";
import { applyBatches } from "./apply-batches.ts";
import { setCompleteUntil } from "./queries.ts";

const BATCHES = 20;
const ROUND_MS = 500;
/** A batch that was read this long ago and is still in the queue belongs to a worker that ended. */
const ABANDONED_MS = 15_000;
/** Attempts at batches together, before each is applied on its own. */
const ATTEMPTS_TOGETHER = 3;
/** Attempts at all, before one that takes too long is quarantined. One that waits for a lock of another transaction never is. */
const ATTEMPTS_OF_SLOW = 6;
/** Each redirect replica creates and sends a batch every second. */
const ARRIVAL_MS = 3_000;

interface DecodedEntry extends StreamEntry {
  batch: ClickBatch;
}

type Applier = Pick<App, "db" | "queue" | "setClickLag" | "logger">;

/**
 * Applies the batches of each stream to Postgres, oldest first, and removes each after it was stored. Any number of
 * workers share the streams. A batch stays in the queue while Postgres is unavailable, and after a crash of the worker. One that is not valid, or that fails while
 * others are applied, is quarantined.
 */
export function createClickApplier(
  { db, queue, setClickLag, logger }: Applier,
  apply: typeof applyBatches = applyBatches,
): Component {
  const stopping = new AbortController();
  let running: Promise<unknown> = Promise.resolve();

  async function readBatches(stream: ClickStream): Promise<StreamEntry[]> {
    return queue.run(async (redis) => {
      const abandoned = await reclaimEntries(redis, stream, { idleMs: ABANDONED_MS, count: BATCHES });
      return abandoned.length > 0 ? abandoned : readEntries(redis, stream, BATCHES);
    });
  }

  async function decodeEntries(stream: ClickStream, entries: readonly StreamEntry[]): Promise<DecodedEntry[]> {
    const decoded: DecodedEntry[] = [];
    for (const entry of entries) {
      const { data, error } = await decodeBatch(entry.text);
      if (data !== undefined) decoded.push({ ...entry, batch: data });
      else await quarantine(stream, entry, error.issues);
    }
    return decoded;
  }

  /** @returns the number of rows that were written */
  function applyEntries(entries: readonly DecodedEntry[]): Promise<number> {
    return apply(
      db,
      entries.map(({ batch }) => batch),
    );
  }

  async function quarantine(stream: ClickStream, entry: StreamEntry, issues: readonly Issue[]): Promise<void> {
    await queue.run(async (redis) => {
      await quarantineEntry(redis, entry);
      await removeEntries(redis, stream, [entry.id]);
    });
    logInvalidRecord(logger, "click_batch_invalid", "stream", { entryId: entry.id }, issues);
  }

  /** @returns the batches that fail, and whether others were stored */
  async function applyEach(entries: readonly DecodedEntry[]) {
    const failed: { entry: DecodedEntry; err: unknown }[] = [];
    let rows = 0;
    for (const entry of entries) {
      try {
        rows += await applyEntries([entry]);
      } catch (err) {
        if (isUnavailable(err)) throw err;
        failed.push({ entry, err });
      }
    }
    return { failed, hasWritten: rows > 0 };
  }

  /**
   * Repeats until the batches are applied or quarantined: they stay with this worker while Postgres is unavailable. Sets
   * aside those that fail, once others were stored: until then it may be Postgres that fails.
   * @returns also those that it read meanwhile
   */
  async function applyUntilDone(stream: ClickStream, first: readonly DecodedEntry[]): Promise<DecodedEntry[]> {
    const entries = [...first];
    let failures = 0;
    let hasEverWritten = false;
    while (!stopping.signal.aborted) {
      try {
        if (failures < ATTEMPTS_TOGETHER) {
          await applyEntries(entries);
          return entries;
        }
        const { failed, hasWritten } = await applyEach(entries);
        hasEverWritten ||= hasWritten;
        const mayBeSlow = failed.some(
          ({ err }) =>
            err instanceof PostgresLockedError || (err instanceof PostgresTimeoutError && failures < ATTEMPTS_OF_SLOW),
        );
        if (failed.length > 0 && (mayBeSlow || !hasEverWritten)) throw failed[0]?.err;
        for (const { entry, err } of failed) await quarantine(stream, entry, [{ message: String(err) }]);
        return entries;
      } catch (err) {
        report(err);
        if (!isUnavailable(err)) failures++;
        await pause(ROUND_MS, stopping.signal);
        if (failures >= ATTEMPTS_TOGETHER && entries.length < 2 * BATCHES) {
          const more = await queue.run((redis) => readEntries(redis, stream, BATCHES));
          entries.push(...(await decodeEntries(stream, more)));
        }
      }
    }
    throw new Error("The worker stops");
  }

  /** @returns whether more batches may wait */
  async function round(stream: ClickStream): Promise<boolean> {
    const entries = await readBatches(stream);
    if (entries.length > 0) {
      const done = await applyUntilDone(stream, await decodeEntries(stream, entries));
      const ids = done.map(({ id }) => id);
      await queue.run((redis) => removeEntries(redis, stream, ids));
    }
    return entries.length === BATCHES;
  }

  async function measure(): Promise<boolean> {
    // What arrives while the streams are read is not complete.
    const now = Date.now();
    const oldest = await queue.run(oldestEntryTime);
    setClickLag(oldest === null ? 0 : (Date.now() - oldest) / 1_000);
    await setCompleteUntil(db, (oldest ?? now) - ARRIVAL_MS);
    return false;
  }

  function report(err: unknown): void {
    if (!isUnavailable(err) && !stopping.signal.aborted)
      logger.error({ event: "click_batch_failed", err }, "failed to apply clicks");
  }

  async function repeat(work: () => Promise<boolean>): Promise<void> {
    while (!stopping.signal.aborted) {
      let hasMore = false;
      try {
        hasMore = await work();
      } catch (err) {
        report(err);
      }
      if (!hasMore) await pause(ROUND_MS, stopping.signal);
    }
  }

  return {
    name: "click applier",
    async start() {
      running = Promise.all([measure, ...CLICK_STREAMS.map((stream) => () => round(stream))].map(repeat));
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
