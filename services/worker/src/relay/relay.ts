import type { Component } from "@tapthru/core/platform/lifecycle";
import { PostgresUnavailableError } from "@tapthru/core/platform/postgres/postgres";
import { RedisUnavailableError } from "@tapthru/core/platform/redis/redis";
import { pause } from "@tapthru/core/platform/waiting";
import type { ChangeListener } from "./change-listener.ts";
import { findPendingKinds, type MassChangeApp, makeMassChange } from "./mass-changes.ts";
import { RELAY_BATCH, type RelayApp, relayBatch } from "./relay-batch.ts";

interface Dependencies extends RelayApp, MassChangeApp {
  changeListener: ChangeListener;
}

/** Changes within this time are projected together. */
const ROUND_MS = 100;

/**
 * Empties the outbox on each wake signal, and every `pollMs`. While it finds rows it reads again, as no notification is
 * sent for rows that are inserted while others are pending.
 */
export function createRelay(deps: Dependencies, { pollMs = 5_000 } = {}): Component {
  const wakeSignal = new WakeSignal();
  const stopping = new AbortController();
  let running = Promise.resolve();

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const projected = await projectBatch();
      const hasMore = await changeLinks();
      if (projected === RELAY_BATCH) continue;
      await pause(projected === null ? pollMs : ROUND_MS, stopping.signal);
      if (projected === 0 && !hasMore) await wakeSignal.wait(pollMs);
    }
  }

  /** Null if a dependency is unavailable, which its client logs, or the round failed. */
  async function projectBatch(): Promise<number | null> {
    try {
      return await relayBatch(deps);
    } catch (err) {
      logFailure(err);
      return null;
    }
  }

  /** Apart from the projection and from each other: a failure of one does not delay the others. */
  async function changeLinks(): Promise<boolean> {
    let hasMore = false;
    for (const kind of (await findPendingKinds(deps).catch(logFailure)) ?? []) {
      try {
        if (await makeMassChange(deps, kind, stopping.signal)) hasMore = true;
      } catch (err) {
        logFailure(err);
      }
    }
    return hasMore;
  }

  function logFailure(err: unknown): void {
    const isUnavailable = err instanceof RedisUnavailableError || err instanceof PostgresUnavailableError;
    if (!isUnavailable) deps.logger.error({ event: "outbox_relay_failed", err }, "outbox relay failed");
  }

  return {
    name: "relay",
    async start() {
      deps.changeListener.start(wakeSignal.wake);
      running = run();
    },
    async stop() {
      stopping.abort();
      wakeSignal.wake();
      await deps.changeListener.stop();
      await running;
    },
  };
}

/** Wakes one waiter. A signal without a waiter ends the next wait at once. */
class WakeSignal {
  #isSet = false;
  #resume = (): void => {};

  readonly wake = (): void => {
    this.#isSet = true;
    this.#resume();
  };

  /** Resolves on a signal, or after `ms`. */
  async wait(ms: number): Promise<void> {
    if (!this.#isSet) {
      const woken = Promise.withResolvers<void>();
      this.#resume = woken.resolve;
      const timer = setTimeout(woken.resolve, ms);
      await woken.promise;
      clearTimeout(timer);
    }
    this.#isSet = false;
  }
}
