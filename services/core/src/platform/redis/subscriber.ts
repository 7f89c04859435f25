import type { Redis } from "ioredis";
import type { Component } from "../lifecycle.ts";
import { createSubscriptionClient } from "./client.ts";

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
 * Subscribes to a channel on a separate connection, which is replaced when it breaks or becomes unresponsive. A cluster
 * sends messages to all its nodes. Outages of Redis are logged by its other clients.
 */
export function createRedisSubscriber(options: RedisSubscriberOptions): Component {
  const { url, channel, onMessage, onSubscribed } = options;
  let heartbeat: NodeJS.Timeout | undefined;
  let retry: NodeJS.Timeout | undefined;
  let redis: Redis | undefined;
  let attempts = 0;
  let isStopped = false;

  function connect(): void {
    const client = createSubscriptionClient(
      url,
      {
        lazyConnect: true,
        connectTimeout: REPLY_MS,
        commandTimeout: REPLY_MS,
        disconnectTimeout: 100,
        retryStrategy: null,
        enableOfflineQueue: false,
        maxRetriesPerRequest: 0,
        autoResubscribe: false,
      },
      attempts++,
    );
    client.on("error", () => {});
    client.on("message", (_channel, message) => onMessage(message));
    client.on("ready", () => void client.subscribe(channel).then(onSubscribed, dropConnection));
    client.on("end", () => {
      if (!isStopped) retry = setTimeout(connect, RETRY_MS);
    });
    redis = client;
    client.connect().catch(() => {});
  }

  // In other states ioredis is closing or connecting already.
  function dropConnection(): void {
    if (redis?.status === "ready") redis.disconnect();
  }

  return {
    name: `redis channel ${channel}`,
    async start() {
      connect();
      heartbeat = setInterval(() => {
        if (redis?.status === "ready") redis.ping().catch(dropConnection);
      }, HEARTBEAT_MS);
    },
    async stop() {
      isStopped = true;
      clearInterval(heartbeat);
      clearTimeout(retry);
      redis?.disconnect();
    },
  };
}
