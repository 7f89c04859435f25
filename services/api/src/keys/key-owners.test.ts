import { randomInt } from "node:crypto";
import { createRequestRedis, type RequestRedis } from "@tapthru/runtime/redis/redis";
import { createTestLogger } from "@tapthru/runtime/testing/test-logger";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { IdentityProvider } from "../accounts/identity.ts";
import { createKeyOwners, type KeyOwner } from "./key-owners.ts";

const { logger } = createTestLogger();
let redis: RequestRedis;
let owner: KeyOwner;

beforeAll(async () => {
  const url = process.env.TEST_REDIS_URL ?? "";
  redis = createRequestRedis({ url, name: "session", budgetMs: 5_000, logger });
  await redis.start?.();
});
afterAll(() => redis.stop?.());
beforeEach(() => {
  owner = { userId: randomInt(1e9), firebaseUid: "uid" };
});

/** Uses a provider that returns this status, and records its calls. */
function owners(status: Awaited<ReturnType<IdentityProvider["checkLogin"]>>) {
  const checks: object[] = [];
  const identity = {
    async checkLogin(login: object) {
      checks.push(login);
      return status;
    },
  };
  return { checks, ...createKeyOwners({ redis, identity, logger }) };
}

describe("the account of a key", () => {
  it.each([
    ["valid", false, 1],
    ["ended", true, 1],
    ["unavailable", false, 3],
  ] as const)("that is %s at the provider: ended %s", async (status, isEnded, count) => {
    const { checks, ...checked } = owners(status);
    for (let i = 0; i < 3; i++) expect(await checked.isEnded(owner)).toBe(isEnded);
    expect(checks).toHaveLength(count);
  });

  it("is ended for all replicas, until it is checked again", async () => {
    await owners("ended").isEnded(owner);
    const other = owners("valid");
    expect(await other.isEnded(owner)).toBe(true);
    await redis.run((client) => client.del(`key-owner:${owner.userId}`));
    expect(await other.isEnded(owner)).toBe(false);
  });

  it("is usable while Redis is unavailable", async () => {
    const url = "redis://127.0.0.1:1";
    const unavailable = createRequestRedis({ url, name: "session", budgetMs: 100, logger });
    const identity = { checkLogin: async () => "ended" as const };
    const checked = createKeyOwners({ redis: unavailable, identity, logger });
    expect(await checked.isEnded(owner)).toBe(false);
    await unavailable.stop?.();
  });
});
