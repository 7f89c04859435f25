import { setTimeout as delay } from "node:timers/promises";
import { FRESHNESS_DEADLINE_MS, LINK_CHANGES_POLL_INTERVAL_MS } from "@tapthru/proto/rules/limits";
import { withDeadline } from "@tapthru/runtime/deadline";
import type { Component } from "@tapthru/runtime/lifecycle";
import type { Logger } from "@tapthru/runtime/logger";
import { PostgresUnavailableError } from "@tapthru/runtime/postgres/postgres";
import { RedisUnavailableError } from "@tapthru/runtime/redis/redis";
import type { ChangePage, ChangesQuery } from "./change-queries.ts";
import type { Clock } from "./clock.ts";
import type { Change } from "./memory.ts";

interface Needs {
  findChanges(wanted: ChangesQuery): Promise<ChangePage>;
  /** A round that gets no page within it has failed. */
  pageDeadlineMs: number;
  learn(change: Change): void;
  /** Null when Redis may lack changes of long ago; throws RedisUnavailableError. */
  timeSinceRedisUpToDate(): Promise<number | null>;
  clock: Clock;
  logger: Logger;
}

/** What is known may be served so long after a round began; less than the deadline, for the reply. */
const FRESH_FOR_MS = FRESHNESS_DEADLINE_MS - 100;
const PAGE_ROWS = 10_000;
/** Rounds on request come no closer. */
const REST_MS = 20;
const REST_AFTER_FAILURE_MS = 200;
/**
 * The relay confirms every five seconds that Redis is up to date. Once it has not for so long, Postgres is unavailable to
 * it too, and not only to this replica, whose settings may be wrong.
 */
const POSTGRES_IS_DOWN_AFTER_MS = 30_000;
/** A snapshot in which nothing was visible. */
const NOTHING_SEEN = "1:1:";

/**
 * Reads the outbox, every half second and on request: each row once it can be seen, whatever the order
 * in which transactions commit. The first round reads all rows that are kept.
 */
export class ChangeTail implements Component {
  readonly name = "tail of link changes";
  /** Until then, of performance.now(), what is known may be served without asking. */
  freshUntil = 0;
  /** Whether the kept rows have been read; before, nothing is known of what changed lately. */
  hasCaughtUp = false;
  /**
   * Whether records in Redis may be served: always once the kept rows have been read. Before, while Postgres is
   * unavailable, where Redis was up to date within `REDIRECTS_UP_TO_DATE_TTL_MS`.
   */
  trustsRedis = false;
  /** Whether visitors may be sent here; it remains so. */
  isReady = false;
  /** While it stays the same nothing was learned. */
  pagesRead = 0;
  /** When the last round that succeeded began, of performance.now(). */
  roundBeganAt = 0;

  readonly #needs: Needs;
  #seen = NOTHING_SEEN;
  #upcoming = Promise.withResolvers<boolean>();
  #stopping = new AbortController();
  #pause = new AbortController();
  #running = Promise.resolve();

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  /** Ends with a round that begins after this call; false when Postgres could not be asked. */
  next(): Promise<boolean> {
    this.#pause.abort();
    return this.#upcoming.promise;
  }

  async start(): Promise<void> {
    const first = this.next();
    this.#running = this.#run();
    await first;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#pause.abort();
    await this.#running;
    this.#upcoming.resolve(false);
  }

  async #run(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const asked = this.#upcoming;
      this.#upcoming = Promise.withResolvers();
      this.#pause = new AbortController();
      const dueAt = performance.now() + LINK_CHANGES_POLL_INTERVAL_MS;
      const hasSucceeded = await this.#round();
      asked.resolve(hasSucceeded);
      if (hasSucceeded) {
        await rest(REST_MS, this.#stopping.signal);
        await rest(dueAt - performance.now(), this.#pause.signal);
      } else {
        await rest(REST_AFTER_FAILURE_MS, this.#stopping.signal);
      }
    }
  }

  async #round(): Promise<boolean> {
    const beganAt = performance.now();
    try {
      await this.#readOn();
      this.hasCaughtUp = this.trustsRedis = this.isReady = true;
      this.roundBeganAt = beganAt;
      this.freshUntil = beganAt + FRESH_FOR_MS;
      return true;
    } catch (err) {
      if (err instanceof PostgresUnavailableError) {
        await this.#startWithoutPostgres();
      } else {
        this.#needs.logger.error(
          { event: "link_changes_read_failed", err },
          "failed to read link changes",
        );
      }
      // Nobody can be asked, so what is known goes on.
      this.freshUntil = performance.now() + FRESH_FOR_MS;
      return false;
    }
  }

  async #startWithoutPostgres(): Promise<void> {
    const { timeSinceRedisUpToDate, logger } = this.#needs;
    if (this.hasCaughtUp) return;
    try {
      const ageMs = await timeSinceRedisUpToDate();
      if (ageMs !== null && !this.trustsRedis) {
        logger.warn(
          { event: "started_without_postgres", ageMs },
          "started without Postgres: links open as Redis has them",
        );
      }
      this.trustsRedis = ageMs !== null;
      if (ageMs !== null && ageMs > POSTGRES_IS_DOWN_AFTER_MS) this.isReady = true;
    } catch (err) {
      if (err instanceof RedisUnavailableError) return;
      logger.error(
        { event: "redirect_record_read_failed", err },
        "failed to read whether Redis is up to date",
      );
    }
  }

  async #readOn(): Promise<void> {
    const seen = this.#seen;
    const first = await this.#readPage(seen, {
      transactionId: String(boundsOf(seen).xmin),
      id: 0,
    });
    for (let { next } = first; next !== null; ) {
      next = (await this.#readPage(seen, next)).next;
    }
    // A server that is behind what it was before was restored, or lost what it had last.
    const isBehind = boundsOf(first.snapshot).xmax < boundsOf(seen).xmax;
    this.#seen = isBehind ? NOTHING_SEEN : first.snapshot;
  }

  async #readPage(seen: string, after: ChangesQuery["after"]): Promise<ChangePage> {
    const { findChanges, pageDeadlineMs, learn, clock } = this.#needs;
    const askedAt = performance.now();
    const page = await withDeadline(
      findChanges({ seen, after, withCreated: this.hasCaughtUp, limit: PAGE_ROWS }),
      pageDeadlineMs,
      () => new PostgresUnavailableError("Postgres did not list changes in time"),
    );
    clock.observe(page.now, askedAt, performance.now());
    this.pagesRead++;
    for (const [shortCode, revision] of page.changes) learn({ shortCode, revision });
    return page;
  }
}

/** All transactions before `xmin` were visible or never will be; none from `xmax` on had begun. */
function boundsOf(snapshot: string): { xmin: bigint; xmax: bigint } {
  const [xmin = "", xmax = ""] = snapshot.split(":");
  return { xmin: BigInt(xmin), xmax: BigInt(xmax) };
}

async function rest(ms: number, signal: AbortSignal): Promise<void> {
  await delay(Math.max(0, ms), undefined, { signal }).catch(() => {});
}
