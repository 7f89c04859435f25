import { randomUUID } from "node:crypto";
import { createLogger } from "@tapthru/core/platform/logger";
import { createRequestRedis, type RequestRedis } from "@tapthru/core/platform/redis/redis";
import type { Resolution } from "@tapthru/core/platform/safe-fetch/follow-short-link";
import { createTestLogger } from "@tapthru/core/platform/testing/test-logger";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../testing/eventually.ts";
import { cacheResolutions, resolutionKey } from "./resolution-cache.ts";

const RESOLVED = { kind: "resolved", url: "https://www.amazon.com/dp/B0CX23V2ZK?tag=me-20" } as const;
const DAY_S = 24 * 60 * 60;

let redis: RequestRedis;
beforeAll(async () => {
  redis = createRequestRedis({
    url: process.env.TEST_REDIS_URL ?? "",
    name: "cache",
    budgetMs: 5_000,
    logger: createLogger({ service: "test", level: "fatal" }),
  });
  await redis.start?.();
});
afterAll(() => redis.stop?.());

const freshLink = () => `https://amzn.to/${randomUUID()}`;

/** A cache whose follow function returns the given resolutions in order. */
function createCache(...resolutions: Resolution[]) {
  const followed: string[] = [];
  const { logger, lines } = createTestLogger();
  const follow = async (url: string) => {
    followed.push(url);
    return resolutions.shift() ?? ({ kind: "too-slow" } as const);
  };
  const resolve = cacheResolutions({ redis, follow, logger });
  return { resolve, followed, lines };
}

const lifetime = (url: string) => redis.run((client) => client.ttl(resolutionKey(url)));

describe("cacheResolutions", () => {
  it("follows a valid link once in 30 days", async () => {
    const { resolve, followed } = createCache(RESOLVED);
    const url = freshLink();
    expect(await resolve(url)).toEqual(RESOLVED);
    await eventually(async () => expect(await lifetime(url)).toBeGreaterThan(29 * DAY_S));
    expect(await resolve(url)).toEqual(RESOLVED);
    expect(followed).toEqual([url]);
  });

  it.each([{ kind: "leads-elsewhere" }, { kind: "bad-response", permanent: true }] as const)(
    "caches a permanent failure for five minutes: %j",
    async (failure) => {
      const { resolve, followed } = createCache(failure);
      const url = freshLink();
      await resolve(url);
      await eventually(async () => expect(await lifetime(url)).toBeGreaterThan(0));
      expect(await lifetime(url)).toBeLessThanOrEqual(5 * 60);
      expect(await resolve(url)).toEqual(failure);
      expect(followed).toHaveLength(1);
    },
  );

  it.each([{ kind: "too-slow" }, { kind: "bad-response", permanent: false }] as const)(
    "does not cache a temporary failure: %j",
    async (failure) => {
      const { resolve } = createCache(failure, RESOLVED);
      const url = freshLink();
      expect(await resolve(url)).toEqual(failure);
      expect(await resolve(url)).toEqual(RESOLVED);
    },
  );

  it("distinguishes links by host, path and query, but not by scheme or case of the host", async () => {
    const { resolve, followed } = createCache(RESOLVED, RESOLVED);
    const url = freshLink();
    await resolve(url);
    await eventually(async () => expect(await lifetime(url)).toBeGreaterThan(0));
    await resolve(url.replace("https://amzn.to", "http://AMZN.to"));
    await resolve(`${url}?x=1`);
    expect(followed).toEqual([url, `${url}?x=1`]);
  });

  it.each([
    ["another host", JSON.stringify({ kind: "resolved", url: "https://evil.example/" })],
    ["another shape", JSON.stringify({ kind: "other" })],
    ["invalid JSON", "{"],
  ])("follows a link again if Redis contains %s", async (_what, planted) => {
    const { resolve } = createCache(RESOLVED);
    const url = freshLink();
    await redis.run((client) => client.set(resolutionKey(url), planted, "EX", 60));
    expect(await resolve(url)).toEqual(RESOLVED);
  });

  it("follows a link each time while Redis is unavailable", async () => {
    const unavailableRedis = createRequestRedis({
      url: "redis://127.0.0.1:1",
      name: "cache",
      budgetMs: 250,
      logger: createLogger({ service: "test", level: "fatal" }),
    });
    const { logger, lines } = createTestLogger();
    const follow = async () => RESOLVED;
    const resolve = cacheResolutions({ redis: unavailableRedis, follow, logger });
    expect(await resolve(freshLink())).toEqual(RESOLVED);
    expect(lines).toEqual([]);
    await unavailableRedis.stop?.();
  });
});
