import { randomUUID } from "node:crypto";
import { createRequestRedis, type RequestRedis } from "@tapthru/runtime/redis/redis";
import { createTestLogger } from "@tapthru/runtime/testing/test-logger";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { IdentityProvider } from "../accounts/identity.ts";
import { createTokenRecheck } from "./recheck.ts";
import { createSessionStore, type SessionStore } from "./session-store.ts";
import type { LiveSession } from "./sessions.ts";

const { logger, lines } = createTestLogger();
let redis: RequestRedis;
let store: SessionStore;
let session: LiveSession;

beforeAll(async () => {
  const url = process.env.TEST_REDIS_URL ?? "";
  redis = createRequestRedis({ url, name: "session", budgetMs: 5_000, logger });
  await redis.start?.();
  store = createSessionStore(redis);
});
afterAll(() => redis.stop?.());

beforeEach(async () => {
  const now = Date.now();
  const data = {
    userId: 1,
    firebaseUid: randomUUID(),
    authTime: 1_700_000_000,
    createdAt: now,
    lastSeenAt: now,
    userAgent: null,
  };
  session = { ...data, id: randomUUID() };
  await store.create(session.id, { ...data, _expire: now + 60_000, _maxAge: 60_000 }, 60_000);
});

/** Uses a provider that returns this status, and records its calls. */
function createRecheck(status: Awaited<ReturnType<IdentityProvider["checkLogin"]>>) {
  const checks: object[] = [];
  const identity = {
    async checkLogin(login: object) {
      checks.push(login);
      return status;
    },
  };
  return { checks, recheck: createTokenRecheck({ store, identity, logger }) };
}

describe("the check of a session's login", () => {
  it("is made once in 15 minutes, with the uid and the time of the login", async () => {
    const { checks, recheck } = createRecheck("valid");
    for (let i = 0; i < 3; i++) await recheck(session);
    expect(checks).toEqual([{ uid: session.firebaseUid, authTime: session.authTime }]);
    expect(await store.find(session.id)).not.toBeNull();
  });

  it("is made once by ten concurrent processes", async () => {
    const { checks, recheck } = createRecheck("valid");
    await Promise.all(Array.from({ length: 10 }, () => recheck(session)));
    expect(checks).toHaveLength(1);
  });

  it("ends the session if the login has ended", async () => {
    await createRecheck("ended").recheck(session);
    expect(await store.find(session.id)).toBeNull();
  });

  it("keeps the session while the provider is unavailable, and is repeated next time", async () => {
    const { checks, recheck } = createRecheck("unavailable");
    await recheck(session);
    await recheck(session);
    expect(checks).toHaveLength(2);
    expect(await store.find(session.id)).not.toBeNull();
  });

  it("is skipped while Redis is unavailable", async () => {
    const unavailableRedis = createRequestRedis({
      url: "redis://127.0.0.1:1",
      name: "x",
      budgetMs: 50,
      logger,
    });
    const { checks } = createRecheck("valid");
    const recheck = createTokenRecheck({
      store: createSessionStore(unavailableRedis),
      identity: { checkLogin: async () => "ended" },
      logger,
    });
    await recheck(session);
    expect(checks).toEqual([]);
    expect(lines.filter(({ level }) => level === "error")).toEqual([]);
  });
});
