import { randomUUID } from "node:crypto";
import { redirectKey } from "@tapthru/proto/redirect/record";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { createLogger } from "../logger.ts";
import { createRedisCluster, type TestCluster } from "../testing/redis-cluster.ts";
import { createRedirectStore } from "./redirect-store.ts";
import { createRequestRedis, type RequestRedis } from "./redis.ts";
import { createRedisSubscriber } from "./subscriber.ts";

const logger = createLogger({ service: "test", level: "silent" });
const WAIT = { timeout: 30_000, interval: 50 };

async function connect(url: string, budgetMs = 5_000): Promise<RequestRedis> {
  const redis = createRequestRedis({ url, name: "test", budgetMs, logger });
  await redis.start?.();
  await vi.waitFor(() => expect(redis.isAvailable).toBe(true), WAIT);
  return redis;
}

/** Codes whose records are in many slots. */
const newCodes = (count: number) => Array.from({ length: count }, () => randomUUID().slice(0, 8));

const recordOf = (revision: number) => ({
  shortCode: "",
  record: {
    state: "live" as const,
    revision,
    webUrl: "https://www.amazon.de/dp/B0ZZ1Y2X3W",
    expiresAt: null,
    title: null,
    description: null,
    imageUrl: null,
    siteName: null,
  },
});

async function subscribe(url: string): Promise<{ messages: string[]; subscriptions: () => number }> {
  const messages: string[] = [];
  let subscriptions = 0;
  const subscriber = createRedisSubscriber({
    url,
    channel: "redirect:changes",
    onMessage: (message) => void messages.push(message),
    onSubscribed: () => void subscriptions++,
  });
  await subscriber.start?.();
  onTestFinished(async () => subscriber.stop?.());
  await vi.waitFor(() => expect(subscriptions).toBe(1), WAIT);
  return { messages, subscriptions: () => subscriptions };
}

describe("in a cluster", () => {
  let cluster: TestCluster;
  let redis: RequestRedis;
  beforeAll(async () => {
    cluster = await createRedisCluster();
    redis = await connect(cluster.url);
  });
  afterAll(async () => {
    await redis?.stop?.();
    await cluster?.remove();
  });

  it("stores records of several slots, keeps newer ones and publishes changes", async () => {
    const store = createRedirectStore(redis, logger);
    const { messages } = await subscribe(cluster.url);
    const codes = newCodes(120);
    const records = (revision: number) => codes.map((shortCode) => ({ ...recordOf(revision), shortCode }));
    await store.restoreMany(records(1));
    await store.putMany(records(3));
    await store.putMany(records(2));
    const stored = await store.getMany(codes);
    expect(stored.map((record) => record?.revision)).toEqual(codes.map(() => 3));
    await vi.waitFor(() => expect([...messages].sort()).toEqual(codes.map((code) => `${code} 3`).sort()), WAIT);
    await store.markUpToDate();
    expect(await store.timeSinceUpToDate()).not.toBeNull();
  });

  it("serves the other masters' keys while one is replaced, and then its keys again", async () => {
    const store = createRedirectStore(redis, logger);
    const { messages, subscriptions } = await subscribe(cluster.url);
    const codes = newCodes(60);
    await vi.waitFor(() => store.putMany(codes.map((shortCode) => ({ ...recordOf(1), shortCode }))), WAIT);
    const connections = redis.connections;
    await cluster.untilReplicated(redirectKey(codes[0] ?? ""));
    const master = await cluster.masterOf(redirectKey(codes[0] ?? ""));
    master.freeze();
    onTestFinished(() => master.resume());
    await vi.waitFor(async () => {
      const found = await store.getMany(codes);
      expect(found.filter((record) => record !== null).length).toBeGreaterThan(0);
    }, WAIT);
    await vi.waitFor(() => store.put(codes[0] ?? "", recordOf(2).record), WAIT);
    await vi.waitFor(async () => expect(await store.getMany(codes)).not.toContain(null), WAIT);
    expect(redis.connections).toBeGreaterThan(connections);
    await vi.waitFor(() => expect(subscriptions()).toBeGreaterThan(0), WAIT);
    await vi.waitFor(async () => {
      await store.put(codes[1] ?? "", recordOf(messages.length + 3).record);
      expect(messages.some((message) => message.startsWith(codes[1] ?? ""))).toBe(true);
    }, WAIT);
  });
});

it("serves the keys of other masters while one does not respond and is not replaced, and drops its connection once", async () => {
  const warnings: string[] = [];
  const note = ({ name }: Error) => void warnings.push(name);
  process.on("warning", note);
  onTestFinished(() => void process.off("warning", note));
  const cluster = await createRedisCluster({ settings: ["--cluster-node-timeout", "60000"] });
  onTestFinished(() => cluster.remove());
  const redis = await connect(cluster.url, 1_000);
  onTestFinished(async () => redis.stop?.());
  const store = createRedirectStore(redis, logger);
  const codes = newCodes(30);
  await vi.waitFor(() => store.putMany(codes.map((shortCode) => ({ ...recordOf(1), shortCode }))), WAIT);
  const masters = await Promise.all(codes.map((code) => cluster.masterOf(redirectKey(code))));
  const frozen = codes.filter((_, i) => masters[i] === masters[0]);
  const others = codes.filter((_, i) => masters[i] !== masters[0]);
  const connections = redis.connections;
  masters[0]?.freeze();
  const reads = frozen.flatMap((code) => Array.from({ length: 5 }, () => store.getMany([code])));
  await Promise.allSettled(reads);
  expect(redis.isAvailable).toBe(true);
  await vi.waitFor(() => expect(redis.connections).toBeGreaterThan(connections), WAIT);
  await vi.waitFor(async () => expect(await store.getMany(others)).not.toContain(null), WAIT);
  masters[0]?.resume();
  await vi.waitFor(async () => expect(await store.getMany(codes)).not.toContain(null), WAIT);
  // Each time ioredis drops a connection, it adds a listener to its socket.
  expect(warnings).not.toContain("MaxListenersExceededWarning");
});
