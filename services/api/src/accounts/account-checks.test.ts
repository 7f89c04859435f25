import { randomInt, randomUUID } from "node:crypto";
import { createRequestRedis, type RequestRedis } from "@tapthru/core/platform/redis/redis";
import { createTestLogger } from "@tapthru/core/platform/testing/test-logger";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { IdentityProvider } from "../callers/identity.ts";
import { accountKey, createAccountChecks } from "./account-checks.ts";

const { logger, lines } = createTestLogger();
const AUTH_TIME = 1_700_000_000;
let redis: RequestRedis;
let session: { firebaseUid: string; authTime: number; createdAt: number };
let uid: string;

beforeAll(async () => {
  const url = process.env.TEST_REDIS_URL ?? "";
  redis = createRequestRedis({ url, name: "session", budgetMs: 5_000, logger });
  await redis.start?.();
});
afterAll(() => redis.stop?.());
beforeEach(() => {
  uid = randomUUID();
  session = { firebaseUid: uid, authTime: AUTH_TIME, createdAt: Date.now() - randomInt(1, 1_000) };
});

/**
 * Uses a provider that finds the account usable with these logins, not usable, or is unavailable, and records the requests to
 * it.
 */
function createChecks(account: { loginsValidFrom: number } | "disabled" | "unavailable") {
  const requests: (readonly string[])[] = [];
  const identity: Pick<IdentityProvider, "findUsable"> = {
    async findUsable(uids) {
      requests.push(uids);
      if (account === "unavailable") return account;
      return new Map(account === "disabled" ? [] : [[uid, account.loginsValidFrom]]);
    },
  };
  return { requests, ...createAccountChecks({ redis, identity, logger }) };
}

const usable = { loginsValidFrom: 0 };

describe("the check of an account", () => {
  it("requests it once in 15 minutes, for sessions and keys together", async () => {
    const { requests, ...checks } = createChecks(usable);
    for (let i = 0; i < 3; i++) {
      expect(await checks.hasLoginEnded(session)).toBe(false);
      expect(await checks.isDisabled(uid)).toBe(false);
    }
    expect(requests).toEqual([[uid]]);
    const ttlMs = await redis.run((client) => client.pttl(accountKey(uid)));
    expect(ttlMs).toBeGreaterThan(14 * 60_000);
    expect(ttlMs).toBeLessThanOrEqual(15 * 60_000);
  });

  it("is made once by ten concurrent processes", async () => {
    const { requests, hasLoginEnded } = createChecks(usable);
    await Promise.all(Array.from({ length: 10 }, () => hasLoginEnded(session)));
    expect(requests).toHaveLength(1);
  });

  it("says for all replicas that an account is disabled, until it is checked again", async () => {
    expect(await createChecks("disabled").isDisabled(uid)).toBe(true);
    const other = createChecks(usable);
    expect([await other.isDisabled(uid), await other.hasLoginEnded(session)]).toEqual([true, true]);
    await redis.run((client) => client.del(accountKey(uid)));
    expect(await other.isDisabled(uid)).toBe(false);
    expect(await other.hasLoginEnded(session)).toBe(false);
  });

  it("does not end a session that begins while the provider responds", async () => {
    let createdAt = 0;
    const identity = {
      async findUsable() {
        const askedAt = Date.now();
        await vi.waitUntil(() => Date.now() > askedAt, { interval: 1, timeout: 60_000 });
        createdAt = Date.now();
        await vi.waitUntil(() => Date.now() > createdAt, { interval: 1, timeout: 60_000 });
        return new Map();
      },
    };
    await createAccountChecks({ redis, identity, logger }).isDisabled(uid);
    expect(await createChecks(usable).hasLoginEnded({ ...session, createdAt })).toBe(false);
  });

  it("says that logins before a revocation have ended, and not the account", async () => {
    const createdAt = AUTH_TIME * 1_000;
    const { isDisabled, hasLoginEnded } = createChecks({ loginsValidFrom: createdAt + 1 });
    expect(await hasLoginEnded({ ...session, createdAt })).toBe(true);
    expect(await hasLoginEnded({ ...session, createdAt, authTime: AUTH_TIME + 1 })).toBe(false);
    expect(await hasLoginEnded({ ...session, createdAt: createdAt + 1 })).toBe(false);
    expect(await isDisabled(uid)).toBe(false);
  });

  it("counts the account as usable while the provider is unavailable, and is repeated", async () => {
    const { requests, isDisabled, hasLoginEnded } = createChecks("unavailable");
    expect([await isDisabled(uid), await hasLoginEnded(session)]).toEqual([false, false]);
    expect(requests).toHaveLength(2);
  });

  it("is skipped while Redis is unavailable", async () => {
    const url = "redis://127.0.0.1:1";
    const unavailable = createRequestRedis({ url, name: "session", budgetMs: 50, logger });
    const identity = { findUsable: async () => new Map() };
    const checks = createAccountChecks({ redis: unavailable, identity, logger });
    expect([await checks.isDisabled(uid), await checks.hasLoginEnded(session)]).toEqual([false, false]);
    expect(lines.filter(({ level }) => level === "error")).toEqual([]);
    await unavailable.stop?.();
  });
});
