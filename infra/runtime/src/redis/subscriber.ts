import { Redis } from "ioredis";
import type { Component } from "../lifecycle.ts";

export interface RedisSubscriberOptions {
  url: string;
  channel: string;
  onMessage(message: string): void;
  /** Called on the first connection and on each new one: messages published in between are lost. */
  onSubscribed(): void;
}

const HEARTBEAT_MS = 2_000;
const REPLY_MS = 1_000;
const RETRY_MS = 500;

/**
 * Subscribes to a channel on a separate connection, which is replaced when it breaks or becomes unresponsive. Outages of
 * Redis are logged by its other clients.
 */
export function createRedisSubscriber(options: RedisSubscriberOptions): Component {
  const { url, channel, onMessage, onSubscribed } = options;
  let heartbeat: NodeJS.Timeout | undefined;
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: REPLY_MS,
    commandTimeout: REPLY_MS,
    disconnectTimeout: 100,
    retryStrategy: () => RETRY_MS,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResubscribe: false,
  });
  redis.on("error", () => {});
  redis.on("message", (_channel, message) => onMessage(message));
  redis.on("ready", () => void redis.subscribe(channel).then(onSubscribed, dropConnection));

  // In other states ioredis is closing or connecting, and a disconnect would stop it permanently.
  function dropConnection(): void {
    if (redis.status === "ready") redis.disconnect(true);
  }

  return {
    name: `redis channel ${channel}`,
    async start() {
      redis.connect().catch(() => {});
      heartbeat = setInterval(() => {
        if (redis.status === "ready") redis.ping().catch(dropConnection);
      }, HEARTBEAT_MS);
    },
    async stop() {
      clearInterval(heartbeat);
      redis.disconnect();
    },
  };
}
