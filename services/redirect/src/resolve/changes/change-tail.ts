import type { ChangePage, ChangesQuery } from "@tapthru/core/outbox";
import { EMPTY_SNAPSHOT, readChanges } from "@tapthru/core/outbox";
import type { Component } from "@tapthru/core/platform/lifecycle";
import type { Logger } from "@tapthru/core/platform/logger";
import { PostgresUnavailableError } from "@tapthru/core/platform/postgres/postgres";
import { RedisUnavailableError } from "@tapthru/core/platform/redis/redis";
import { pause, withDeadline } from "@tapthru/core/platform/waiting";
import type { Clock } from "../clock.ts";
import type { Change } from "../memory.ts";

/** Maximum time from the response to an edit, claim or delete until no replica serves the old state. */
const FRESHNESS_DEADLINE_MS = 1_000;
const LINK_CHANGES_POLL_INTERVAL_MS = 500;

interface Dependencies {
  readChanges(query: ChangesQuery): Promise<ChangePage>;
  /** A round fails if reading one page takes longer. */
  pageDeadlineMs: number;
  onChange(change: Change): void;
  /** Milliseconds; null if Redis may lack older changes. @throws RedisUnavailableError */
  timeSinceRedisUpToDate(): Promise<number | null>;
  clock: Clock;
  logger: Logger;
}

/** How long cached data is fresh after the start of a round. Leaves 100 ms of the deadline for sending the response. */
const FRESH_FOR_MS = FRESHNESS_DEADLINE_MS - 100;
const PAGE_SIZE = 10_000;
/** Minimum pause between two rounds, even if `sync` requests a round. */
const MIN_PAUSE_MS = 20;
const RETRY_PAUSE_MS = 200;
/**
 * The relay confirms every five seconds that Redis is up to date. Without a confirmation for this long, Postgres is
 * unavailable to the relay too, so the cause is not a wrong setting of this replica.
 */
const POSTGRES_DOWN_AFTER_MS = 30_000;
const NOTED_AGE_MS = 5_000;

/**
 * Reads the outbox every half second and on request: each row as soon as it is visible, regardless of the order of
 * commits. The first round reads all rows that the outbox holds.
 */
export class ChangeTail implements Component {
  readonly name = "tail of link changes";
  /** Cached data is fresh until this time of performance.now(). */
  freshUntil = 0;
  /** True if a round has succeeded. Before the first, recent changes are unknown. */
  hasCaughtUp = false;
  /**
   * True if records in Redis may be served: always after a round has succeeded. Before the first, only while Postgres
   * is unavailable and Redis was up to date within `REDIRECTS_UP_TO_DATE_TTL_MS`.
   */
  trustsRedis = false;
  /** True if the replica may receive traffic. Never becomes false again. */
  isReady = false;
  /** If it has not increased, `onChange` has not been called. */
  pagesRead = 0;
  /** When the last successful round started, by performance.now(). */
  lastRoundStartedAt = 0;

  readonly #deps: Dependencies;
  #snapshot = EMPTY_SNAPSHOT;
  #nextRound = Promise.withResolvers<boolean>();
  #stopping = new AbortController();
  #pollPause = new AbortController();
  #loopEnd = Promise.resolve();

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** For the readiness page: how old the known changes are; null while they are read. */
  get note(): string | null {
    const ageMs = performance.now() - this.lastRoundStartedAt;
    if (ageMs < NOTED_AGE_MS) return null;
    return `changes have not been read for ${Math.round(ageMs / 1_000)} s`;
  }

  /** Resolves after a round that starts after this call, as soon as possible; false if the round failed. */
  sync(): Promise<boolean> {
    this.#pollPause.abort();
    return this.#nextRound.promise;
  }

  async start(): Promise<void> {
    const first = this.sync();
    this.#loopEnd = this.#loop();
    await first;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#pollPause.abort();
    await this.#loopEnd;
    this.#nextRound.resolve(false);
  }

  async #loop(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const current = this.#nextRound;
      this.#nextRound = Promise.withResolvers();
      this.#pollPause = new AbortController();
      const dueAt = performance.now() + LINK_CHANGES_POLL_INTERVAL_MS;
      const hasSucceeded = await this.#runRound();
      current.resolve(hasSucceeded);
      if (hasSucceeded) {
        await pause(MIN_PAUSE_MS, this.#stopping.signal);
        await pause(dueAt - performance.now(), this.#pollPause.signal);
      } else {
        await pause(RETRY_PAUSE_MS, this.#stopping.signal);
      }
    }
  }

  async #runRound(): Promise<boolean> {
    const startedAt = performance.now();
    try {
      await this.#readNewRows();
      this.hasCaughtUp = this.trustsRedis = this.isReady = true;
      this.lastRoundStartedAt = startedAt;
      this.freshUntil = startedAt + FRESH_FOR_MS;
      return true;
    } catch (err) {
      if (err instanceof PostgresUnavailableError) {
        await this.#startWithoutPostgres();
      } else {
        this.#deps.logger.error({ event: "link_changes_read_failed", err }, "failed to read link changes");
      }
      // Without Postgres, cached data stays in use.
      this.freshUntil = performance.now() + FRESH_FOR_MS;
      return false;
    }
  }

  async #startWithoutPostgres(): Promise<void> {
    const { timeSinceRedisUpToDate, logger } = this.#deps;
    if (this.hasCaughtUp) return;
    try {
      const ageMs = await timeSinceRedisUpToDate();
      if (ageMs !== null && !this.trustsRedis) {
        logger.warn({ event: "started_without_postgres", ageMs }, "started without Postgres: serving links from Redis");
      }
      this.trustsRedis = ageMs !== null;
      if (ageMs !== null && ageMs > POSTGRES_DOWN_AFTER_MS) this.isReady = true;
    } catch (err) {
      if (err instanceof RedisUnavailableError) return;
      logger.error({ event: "redirect_record_read_failed", err }, "failed to read whether Redis is up to date");
    }
  }

  async #readNewRows(): Promise<void> {
    const known = this.#snapshot;
    this.#snapshot = await readChanges(known, (after) => this.#readPage(known, after));
  }

  async #readPage(knownSnapshot: string, after: ChangesQuery["after"]): Promise<ChangePage> {
    const { readChanges, pageDeadlineMs, onChange, clock } = this.#deps;
    const sentAt = performance.now();
    const page = await withDeadline(
      readChanges({
        knownSnapshot,
        after,
        includeCreated: this.hasCaughtUp,
        limit: PAGE_SIZE,
      }),
      pageDeadlineMs,
      () => new PostgresUnavailableError("Postgres did not return changes in time"),
    );
    clock.observe(page.now, sentAt, performance.now());
    this.pagesRead++;
    for (const [shortCode, revision] of page.changes) onChange({ shortCode, revision });
    return page;
  }
}
