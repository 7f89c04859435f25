import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { Redis } from "ioredis";
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import type { Component } from "../lifecycle.ts";
import { type ControlledRedis, createControlledRedis } from "../testing/controlled-redis.ts";
import { createRedisSubscriber } from "./subscriber.ts";

let server: ControlledRedis;
let publisher: Redis;
let subscriber: Component;
let heard: string[];
let subscriptions: number;

beforeEach(async () => {
  server = await createControlledRedis();
  await server.start();
  publisher = new Redis(server.url, { retryStrategy: () => 50 });
  publisher.on("error", () => {});
  heard = [];
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
    onMessage: (message) => void heard.push(message),
    onSubscribed: () => void subscriptions++,
  });
  await subscriber.start?.();
}

const subscribed = (times: number) =>
  vi.waitFor(() => expect(subscriptions).toBe(times), { timeout: 10_000 });

async function hears(message: string): Promise<void> {
  await publisher.publish("news", message);
  await vi.waitFor(() => expect(heard.at(-1)).toBe(message), { timeout: 10_000 });
}

it("receives published messages", async () => {
  await listen();
  await subscribed(1);
  await hears("one");
});

it.each([
  [
    "its subscription was lost",
    async () => void (await publisher.call("CLIENT", "KILL", "TYPE", "pubsub")),
  ],
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
  await hears("again");
});

it("reconnects when Redis is unresponsive", async () => {
  const proxy = await layProxy();
  await listen(proxy.url);
  await subscribed(1);
  proxy.fallSilent();
  await vi.waitFor(() => expect(proxy.accepted()).toBeGreaterThan(1), { timeout: 10_000 });
  proxy.speakAgain();
  await subscribed(2);
  await hears("again");
}, 20_000);

/** To the server; silent, it keeps connections and takes new ones, but nothing comes through. */
async function layProxy() {
  let isSilent = false;
  let accepted = 0;
  const proxy = createServer((near) => {
    accepted++;
    near.on("error", () => {});
    if (isSilent) return;
    const far = connect(Number(new URL(server.url).port), "127.0.0.1");
    const carry = (from: Socket, to: Socket) =>
      from.on("data", (data) => isSilent || to.write(data));
    carry(near, far);
    carry(far, near);
    near.on("close", () => far.destroy());
  }).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  onTestFinished(() => void proxy.close());
  return {
    url: `redis://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    accepted: () => accepted,
    fallSilent() {
      isSilent = true;
    },
    speakAgain() {
      isSilent = false;
    },
  };
}

it("subscribes when Redis becomes available", async () => {
  await server.kill();
  await listen();
  await server.start();
  await subscribed(1);
});
