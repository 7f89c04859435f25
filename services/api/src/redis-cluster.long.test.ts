import { randomUUID } from "node:crypto";
import { createLogger } from "@tapthru/core/platform/logger";
import { createRequestRedis, type RequestRedis } from "@tapthru/core/platform/redis/redis";
import { createRedisCluster, type TestCluster } from "@tapthru/core/platform/testing/redis-cluster";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { createPendingLogins } from "./amazon-ads/pending-logins.ts";
import { createRequestCounter } from "./http/request-counter.ts";
import { createPageReadQueue } from "./metadata/queue-read.ts";
import { createSessionStore, type StoredSession } from "./sessions/session-store.ts";

const LIFETIME_MS = 60_000;
const logger = createLogger({ service: "test", level: "silent" });

let cluster: TestCluster;
let redis: RequestRedis;

beforeAll(async () => {
  cluster = await createRedisCluster();
  redis = createRequestRedis({ url: cluster.url, name: "test", budgetMs: 5_000, logger });
  await redis.start?.();
  await vi.waitFor(() => expect(redis.isAvailable).toBe(true), { timeout: 30_000 });
}, 60_000);
afterAll(async () => {
  await redis?.stop?.();
  await cluster?.remove();
});

function newSession(userId: number, createdAt = Date.now()): StoredSession {
  const times = { authTime: 1_700_000_000, createdAt, lastSeenAt: createdAt };
  const cookie = { _expire: createdAt + LIFETIME_MS, _maxAge: LIFETIME_MS };
  return { userId, firebaseUid: "uid", userAgent: null, ...times, ...cookie };
}

it("keeps, lists and ends sessions whose keys are on several masters", async () => {
  const store = createSessionStore(redis);
  const ids = Array.from({ length: 52 }, () => randomUUID());
  const now = Date.now();
  for (const [i, id] of ids.entries()) await store.create(id, newSession(7, now + i), LIFETIME_MS);
  const listed = await store.list(newSession(7));
  expect(listed.map(({ id }) => id)).toEqual(ids.slice(-50));
  const id = ids[20] ?? "";
  expect(await store.find(id)).toEqual(newSession(7, now + 20));
  await store.end(id);
  expect(await store.update(id, newSession(7), LIFETIME_MS)).toBe(false);
  expect(await store.find(id)).toBeNull();
  expect(await store.list(newSession(7))).toHaveLength(49);
});

it("counts requests", async () => {
  const count = createRequestCounter({
    redis,
    keyPrefix: "limit",
    points: 2,
    floor: null,
  });
  const log = logger;
  const request = { log, redisBudget: redis.newBudget(), isUnlimited: false };
  const counts = [];
  for (let i = 0; i < 3; i++) counts.push(await count("visitor", request));
  expect(counts.map((each) => each?.remaining)).toEqual([1, 0, 0]);
  expect(counts.map((each) => each?.isExceeded)).toEqual([false, false, true]);
});

it("queues reads of pages", async () => {
  const queueRead = createPageReadQueue({
    redis,
    dailyPseudonym: (requester) => requester,
    logger,
  });
  const requester = { userId: 7, address: "127.0.0.1", requestId: "request-0001" };
  for (let attempt = 0; attempt < 2; attempt++)
    await queueRead({ canonicalUrl: `https://www.amazon.de/dp/B0${attempt}`, attempt }, requester);
  const waiting = await redis.run((client) => client.zcard("{jobs}:scrape-metadata:prioritized"));
  expect(waiting).toBe(2);
});

it("keeps pending logins", async () => {
  const logins = createPendingLogins(redis);
  const login = { sessionId: "s", codeVerifier: "v" };
  const state = await logins.add(login);
  expect(await logins.take(state)).toEqual(login);
  expect(await logins.take(state)).toBeNull();
});
