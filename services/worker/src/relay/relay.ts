import { setTimeout as delay } from "node:timers/promises";
import type { Part } from "@tapthru/runtime/lifecycle";
import type { Logger } from "@tapthru/runtime/logger";
import { PostgresAwayError } from "@tapthru/runtime/postgres";
import { RedisAwayError } from "@tapthru/runtime/redis";
import { Bell } from "./bell.ts";
import type { ChangeListener } from "./change-listener.ts";
import { type Backlog, findBacklog } from "./queries.ts";
import { type RelayNeeds, relayBatch } from "./relay-batch.ts";

interface Needs extends RelayNeeds {
  changeListener: ChangeListener;
  relayMetrics: { observe(backlog: Backlog): void };
  logger: Logger;
}

/** A round that is worth its transaction: what comes within it goes together. */
const ROUND_MS = 100;

/** Empties the outbox: when it is called, and every `pollMs` whether it was or not. */
export function createRelay(needs: Needs, { pollMs = 5_000 } = {}): Part {
  const bell = new Bell();
  const stopping = new AbortController();
  let running = Promise.resolve();

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const isThrough = await attempt(empty);
      await attempt(async () => needs.relayMetrics.observe(await findBacklog(needs.db)));
      await pause(isThrough ? ROUND_MS : pollMs);
      if (isThrough) await bell.wait(pollMs);
    }
  }

  async function empty(): Promise<void> {
    let mayBeMore = true;
    while (mayBeMore && !stopping.signal.aborted) mayBeMore = await relayBatch(needs);
  }

  /** Clients themselves tell when they are away. */
  async function attempt(work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (err) {
      const isAway = err instanceof RedisAwayError || err instanceof PostgresAwayError;
      if (!isAway) needs.logger.error({ err }, "relay failed");
      return false;
    }
  }

  async function pause(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: stopping.signal }).catch(() => {});
  }

  return {
    name: "relay",
    async start() {
      needs.changeListener.start(bell.ring);
      running = run();
    },
    async stop() {
      stopping.abort();
      bell.ring();
      await needs.changeListener.stop();
      await running;
    },
  };
}
