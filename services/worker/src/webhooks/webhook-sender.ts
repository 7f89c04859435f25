import { attemptItem } from "@tapthru/core/platform/failed-items";
import type { Component } from "@tapthru/core/platform/lifecycle";
import { PostgresUnavailableError } from "@tapthru/core/platform/postgres/postgres";
import { pause } from "@tapthru/core/platform/waiting";
import type { App } from "../app.ts";
import { type DeliverApp, deliverBatch } from "./deliver-batch.ts";
import { type Lease, leaseWebhooks, WEBHOOKS } from "./queries.ts";

/** Leases of this process, of slow webhooks among them, and of one account, at once. */
const LEASES_AT_ONCE = 32;
const SLOW_LEASES_AT_ONCE = 24;
const LEASES_PER_USER = 2;
/** Longer than a worker sends during a lease, its last requests included. */
export const LEASE_MS = 90_000;
/** How long attempts in progress may take after the worker was stopped. */
const STOP_MS = 4_000;

/**
 * Sends the events of webhooks. Each account gets leases like every other one, and some leases are never those of slow
 * webhooks, so that an account with many events and many accounts with slow webhooks do not delay others.
 */
export function createWebhookSender(
  app: DeliverApp & Pick<App, "logger">,
  { pollMs = 1_000, leaseMs = LEASE_MS } = {},
): Component {
  const { db, logger } = app;
  const stopping = new AbortController();
  const aborting = new AbortController();
  const leases = new Set<Promise<unknown>>();
  let slowLeases = 0;
  let running = Promise.resolve();

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const started = await leaseMore();
      if (started === 0) await Promise.race([pause(pollMs, stopping.signal), ...leases]);
    }
    await Promise.all(leases);
  }

  async function leaseMore(): Promise<number> {
    const limit = LEASES_AT_ONCE - leases.size;
    if (limit === 0) return 0;
    try {
      const slowLimit = SLOW_LEASES_AT_ONCE - slowLeases;
      const taken = await leaseWebhooks(db, {
        limit,
        perUser: LEASES_PER_USER,
        slowLimit,
        leaseMs,
      });
      for (const lease of taken) start(lease);
      return taken.length;
    } catch (err) {
      report(err);
      await pause(pollMs, stopping.signal);
      return 0;
    }
  }

  function start(lease: Lease): void {
    const signals = { stopping: stopping.signal, aborting: aborting.signal };
    const slow = lease.isSlow ? 1 : 0;
    slowLeases += slow;
    const loop = { db, logger, kind: WEBHOOKS, signal: stopping.signal };
    const ended: Promise<unknown> = attemptItem(loop, lease.webhookId, () => deliverBatch(app, lease, signals))
      .catch(report)
      .finally(() => {
        slowLeases -= slow;
        leases.delete(ended);
      });
    leases.add(ended);
  }

  /** A lease that failed ends by itself. */
  function report(err: unknown): void {
    if (err instanceof PostgresUnavailableError) return;
    logger.error({ event: "webhook_turn_failed", err }, "failed to send events of webhooks");
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
