import { Redis } from "ioredis";
import type { Component } from "../lifecycle.ts";

export interface RedisSubscriberOptions {
  url: string;
  channel: string;
  onMessage(message: string): void;
  /** At first and after each loss of the connection: what was published meanwhile is gone. */
  onSubscribed(): void;
}

const HEARTBEAT_MS = 2_000;
const ANSWER_MS = 1_000;
const RETRY_MS = 500;

/**
 * Listens to a channel over a connection of its own, which is made again when it breaks or falls
 * silent. That Redis is away is told by the clients that ask it.
 */
export function createRedisSubscriber(options: RedisSubscriberOptions): Component {
  const { url, channel, onMessage, onSubscribed } = options;
  let heartbeat: NodeJS.Timeout | undefined;
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: ANSWER_MS,
    commandTimeout: ANSWER_MS,
    disconnectTimeout: 100,
    retryStrategy: () => RETRY_MS,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResubscribe: false,
  });
  redis.on("error", () => {});
  redis.on("message", (_channel, message) => onMessage(message));
  redis.on("ready", () => void redis.subscribe(channel).then(onSubscribed, drop));

  // In any other state ioredis is closing or connecting already, and would be stopped for good.
  function drop(): void {
    if (redis.status === "ready") redis.disconnect(true);
  }

  return {
    name: `redis channel ${channel}`,
    async start() {
      redis.connect().catch(() => {});
      heartbeat = setInterval(() => {
        if (redis.status === "ready") redis.ping().catch(drop);
      }, HEARTBEAT_MS);
    },
    async stop() {
      clearInterval(heartbeat);
      redis.disconnect();
    },
  };
}
