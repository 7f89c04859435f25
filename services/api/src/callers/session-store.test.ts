import { randomUUID } from "node:crypto";
import { createRequestRedis, type RequestRedis } from "@tapthru/core/platform/redis/redis";
import { createTestLogger } from "@tapthru/core/platform/testing/test-logger";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createSessionStore, type SessionStore, type StoredSession } from "./session-store.ts";

const LIFETIME_MS = 60_000;

let redis: RequestRedis;
let store: SessionStore;
let id: string;
let session: StoredSession;

beforeAll(async () => {
  const url = process.env.TEST_REDIS_URL ?? "";
  const { logger } = createTestLogger();
  redis = createRequestRedis({ url, name: "session", budgetMs: 5_000, logger });
  await redis.start?.();
  store = createSessionStore(redis);
});
afterAll(() => redis.stop?.());

beforeEach(async () => {
  id = randomUUID();
  const now = Date.now();
  session = {
    userId: Math.floor(Math.random() * 1e9),
    firebaseUid: "uid",
    authTime: 1_700_000_000,
    createdAt: now,
    lastSeenAt: now,
    userAgent: null,
    _expire: now + LIFETIME_MS,
    _maxAge: LIFETIME_MS,
  };
  await store.create(id, session, LIFETIME_MS);
});

describe("a session in Redis", () => {
  it("is found as last written", async () => {
    const later = { ...session, lastSeenAt: session.lastSeenAt + 1 };
    expect(await store.update(id, later, LIFETIME_MS)).toBe(true);
    expect(await store.find(id)).toEqual(later);
  });

  it("that has ended is not restored by a late write", async () => {
    await store.end(id);
    expect(await store.update(id, session, LIFETIME_MS)).toBe(false);
    expect(await store.find(id)).toBeNull();
  });

  it("is null if Redis contains invalid data", async () => {
    for (const text of ["", "{", "null", "[]", JSON.stringify({ ...session, userId: "1" })]) {
      await redis.run((client) => client.set(`session:${id}`, text));
      expect(await store.find(id)).toBeNull();
    }
  });

  it("is listed until it ends, then removed from the index", async () => {
    expect(await store.list(session)).toEqual([{ ...session, id }]);
    await store.end(id);
    expect(await store.list(session)).toEqual([]);
    expect(await redis.run((client) => client.zrange(`user-sessions:${session.userId}`, 0, "-1"))).toEqual([]);
  });

  it("ends when its user has 50 newer sessions", async () => {
    for (let i = 1; i <= 50; i++) {
      const newer = { ...session, createdAt: session.createdAt + i };
      await store.create(`${id}-${i}`, newer, LIFETIME_MS);
      expect(await store.find(id)).toEqual(i < 50 ? session : null);
    }
    expect(await store.list(session)).toHaveLength(50);
  });
});
