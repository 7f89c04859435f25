import { Redis } from "ioredis";
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import type { Component } from "../lifecycle.ts";
import { type ControlledRedis, startRedis } from "../testing/controlled-redis.ts";
import { createTcpProxy } from "../testing/tcp-proxy.ts";
import { createRedisSubscriber } from "./subscriber.ts";

let server: ControlledRedis;
let publisher: Redis;
let subscriber: Component;
let received: string[];
let subscriptions: number;

beforeEach(async () => {
  server = await startRedis();
  publisher = new Redis(server.url, { retryStrategy: () => 50 });
  publisher.on("error", () => {});
  received = [];
  subscriptions = 0;
});
afterEach(async () => {
  await subscriber.stop?.();
  publisher.disconnect();
  await server.remove();
});

async function listen(url = server.url): Promise<void> {
  subscriber = createRedisSubscriber({
    url,
    channel: "news",
    onMessage: (message) => void received.push(message),
    onSubscribed: () => void subscriptions++,
  });
  await subscriber.start?.();
}

const subscribed = (times: number) => vi.waitFor(() => expect(subscriptions).toBe(times), { timeout: 60_000 });

async function expectToReceive(message: string): Promise<void> {
  await publisher.publish("news", message);
  await vi.waitFor(() => expect(received.at(-1)).toBe(message), { timeout: 60_000 });
}

it.each([
  ["its subscription was lost", async () => void (await publisher.call("CLIENT", "KILL", "TYPE", "pubsub"))],
  [
    "Redis was killed",
    async () => {
      await server.kill();
      await server.start();
    },
  ],
])("reports a new subscription after %s, and receives messages again", async (_, fail) => {
  await listen();
  await subscribed(1);
  await fail();
  await subscribed(2);
  await expectToReceive("again");
});

it("reconnects when Redis is unresponsive", async () => {
  const proxy = await createTcpProxy(server.url);
  onTestFinished(proxy.refuse);
  await listen(proxy.url);
  await subscribed(1);
  const clients = async () =>
    String(await publisher.client("LIST"))
      .trim()
      .split("\n").length;
  const before = await clients();
  proxy.hold();
  await vi.waitFor(async () => expect(await clients()).toBeGreaterThan(before), { timeout: 60_000 });
  proxy.release();
  await subscribed(2);
  await expectToReceive("again");
});

it("subscribes when Redis becomes available", async () => {
  await server.kill();
  await listen();
  await server.start();
  await subscribed(1);
});
