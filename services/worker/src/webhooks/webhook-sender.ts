import type { Component } from "@tapthru/runtime/lifecycle";
import type { Logger } from "@tapthru/runtime/logger";
import { PostgresUnavailableError } from "@tapthru/runtime/postgres/postgres";
import { pause } from "@tapthru/runtime/waiting";
import { type Turn, takeTurns } from "./queries.ts";
import { runTurn, type TurnDependencies } from "./run-turn.ts";

/** Turns of this process, of slow webhooks among them, and of one account, at once. */
const TURNS_AT_ONCE = 32;
const SLOW_TURNS_AT_ONCE = 24;
const TURNS_PER_USER = 2;
/** Longer than a turn with its last requests. */
const LEASE_MS = 40_000;
/** How long attempts in progress may take after the worker was stopped. */
const STOP_MS = 4_000;

interface Dependencies extends TurnDependencies {
  logger: Logger;
}

/**
 * Sends the events of webhooks. Each account has turns like every other one, and some turns are never those of slow
 * webhooks, so that an account with many events and many accounts with slow webhooks do not delay others.
 */
export function createWebhookSender(
  deps: Dependencies,
  { pollMs = 1_000, leaseMs = LEASE_MS } = {},
): Component {
  const { db, logger } = deps;
  const stopping = new AbortController();
  const aborting = new AbortController();
  const turns = new Set<Promise<void>>();
  let slowTurns = 0;
  let running = Promise.resolve();

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const started = await takeFreeTurns();
      if (started === 0) await Promise.race([pause(pollMs, stopping.signal), ...turns]);
    }
    await Promise.all(turns);
  }

  async function takeFreeTurns(): Promise<number> {
    const limit = TURNS_AT_ONCE - turns.size;
    if (limit === 0) return 0;
    try {
      const slowLimit = SLOW_TURNS_AT_ONCE - slowTurns;
      const taken = await takeTurns(db, { limit, perUser: TURNS_PER_USER, slowLimit, leaseMs });
      for (const turn of taken) start(turn);
      return taken.length;
    } catch (err) {
      report(err);
      await pause(pollMs, stopping.signal);
      return 0;
    }
  }

  function start(turn: Turn): void {
    const signals = { stopping: stopping.signal, aborting: aborting.signal };
    const slow = turn.isSlow ? 1 : 0;
    slowTurns += slow;
    const ended = runTurn(deps, turn, signals)
      .catch((err) => report(err, turn.webhookId))
      .finally(() => {
        slowTurns -= slow;
        turns.delete(ended);
      });
    turns.add(ended);
  }

  /** The lease of a turn that failed ends by itself. */
  function report(err: unknown, webhookId?: number): void {
    if (err instanceof PostgresUnavailableError) return;
    logger.error(
      { event: "webhook_turn_failed", webhookId, err },
      "failed to send events of a webhook",
    );
  }

  return {
    name: "webhook sender",
    async start() {
      running = run();
    },
    async stop() {
      stopping.abort();
      const timer = setTimeout(() => aborting.abort(), STOP_MS);
      await running;
      clearTimeout(timer);
    },
  };
}
