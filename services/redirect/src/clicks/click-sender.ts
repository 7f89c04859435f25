import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Component } from "@tapthru/core/platform/lifecycle";
import type { Logger } from "@tapthru/core/platform/logger";
import { addBatch, type EncodedBatch, encodeBatch } from "@tapthru/core/platform/redis/click-stream";
import { RedisUnavailableError, type RequestRedis } from "@tapthru/core/platform/redis/redis";
import { CLICK_STREAMS, type ClickStream } from "@tapthru/proto/clicks/batch";
import type { ClickMetrics } from "./click-metrics.ts";
import type { ClickTally } from "./click-tally.ts";
import type { DailySalt } from "./daily-salt.ts";
import type { OutcomeTally } from "./outcome-tally.ts";

/** A redirect that is killed loses what it has not sent: at most one second, with the time that sending takes. */
const FLUSH_MS = 800;
/** A Redis that crashes may lose its last second, so batches are kept longer and sent again on a new connection. */
const RESEND_MS = 30_000;
/** How long a redirect that stops waits for Redis, which may restart with it. */
const HAND_OVER_MS = 6_000;
const HAND_OVER_PAUSE_MS = 100;
/** Maximum total size of the batches that wait while Redis is unavailable. */
const MEMORY_MAX_BYTES = 16 * 1_024 * 1_024;

interface Pending extends EncodedBatch {
  stream: ClickStream;
  /** By performance.now(). */
  madeAt: number;
  sentAt: number | null;
}

export interface ClickSenderDependencies {
  tally: Pick<ClickTally, "take">;
  outcomes: Pick<OutcomeTally, "take">;
  salt: Pick<DailySalt, "share">;
  redis: Pick<RequestRedis, "run" | "connections" | "isAvailable">;
  metrics: Pick<ClickMetrics, "countDropped">;
  logger: Logger;
}

export interface ClickSender extends Component {
  flush(): Promise<void>;
  /** Age of the oldest unsent clicks in seconds. */
  unsentAge(): number;
}

/** Sends the counted clicks to the queue every 0.8 seconds. No request waits for it. */
export function createClickSender(deps: ClickSenderDependencies): ClickSender {
  const { tally, outcomes, salt, redis, metrics, logger } = deps;
  let pending: Pending[] = [];
  let connections = 0;
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  let waiting: Promise<void> | null = null;

  /** Outcomes, which are few, are all in the first stream. */
  async function takeBatches(): Promise<void> {
    const [taken, reported] = [tally.take(), outcomes.take()];
    const madeAt = performance.now();
    for (const [index, stream] of CLICK_STREAMS.entries()) {
      const { size = 0, links = [] } = taken[index] ?? {};
      const batch = { id: randomUUID(), links, outcomes: index === 0 ? reported : [] };
      if (size > 0 || batch.outcomes.length > 0)
        pending.push({ ...(await encodeBatch(batch)), stream, madeAt, sentAt: null });
    }
  }

  function dropOldest(): void {
    let bytes = pending.reduce((sum, { text }) => sum + text.length, 0);
    while (bytes > MEMORY_MAX_BYTES) {
      const oldest = pending.shift();
      if (oldest === undefined) return;
      bytes -= oldest.text.length;
      if (oldest.sentAt === null) metrics.countDropped("memory", oldest.clicks);
    }
  }

  async function send(): Promise<void> {
    if (connections !== redis.connections) {
      for (const batch of pending) batch.sentAt = null;
      connections = redis.connections;
    }
    for (const batch of pending) {
      if (batch.sentAt !== null) continue;
      const dropped = await addBatch(redis, batch.stream, batch);
      if (dropped > 0) metrics.countDropped("queue", dropped);
      batch.sentAt = performance.now();
    }
    // During an outage they are kept for the next connection.
    if (!redis.isAvailable) return;
    const keepSince = performance.now() - RESEND_MS;
    pending = pending.filter(({ sentAt }) => sentAt === null || sentAt > keepSince);
  }

  async function round(): Promise<void> {
    try {
      await takeBatches();
      dropOldest();
      await send();
      await salt.share(Date.now());
    } catch (err) {
      // The client logs that Redis is unavailable.
      if (!(err instanceof RedisUnavailableError))
        logger.error({ event: "click_batch_failed", err }, "failed to send clicks");
    }
  }

  /** Starts a round after the running one. Calls until then share it. */
  function flush(): Promise<void> {
    waiting ??= running.then(() => {
      waiting = null;
      running = round();
      return running;
    });
    return waiting;
  }

  function unsent(): Pending | undefined {
    return pending.find(({ sentAt }) => sentAt === null);
  }

  return {
    name: "click sender",
    flush,
    unsentAge() {
      const oldest = unsent();
      return oldest === undefined ? 0 : (performance.now() - oldest.madeAt) / 1_000;
    },
    async start() {
      await salt.share(Date.now());
      timer = setInterval(flush, FLUSH_MS);
    },
    async stop() {
      clearInterval(timer);
      const until = performance.now() + HAND_OVER_MS;
      await flush();
      while (unsent() !== undefined && performance.now() < until) {
        await delay(HAND_OVER_PAUSE_MS);
        await flush();
      }
      if (unsent() !== undefined)
        logger.error({ event: "clicks_lost" }, "clicks could not be sent before the process ended");
    },
  };
}
