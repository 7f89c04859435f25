import { randomUUID } from "node:crypto";
import { createLogger } from "@tapthru/core/platform/logger";
import { createRequestRedis, type RequestRedis } from "@tapthru/core/platform/redis/redis";
import type { Resolution } from "@tapthru/core/platform/safe-fetch/follow-short-link";
import { createTestLogger } from "@tapthru/core/platform/testing/test-logger";
import { ERRORS } from "@tapthru/proto/errors";
import { MAX_REQUESTS_IN_PROGRESS } from "@tapthru/proto/rules/limits";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { eventually } from "../testing/eventually.ts";
import { startApi, startOwnAmazon, startOwnRedis } from "../testing/world.ts";
import { cacheResolutions, resolutionKey } from "./resolution-cache.ts";

const amazon = await startOwnAmazon();
const redis = await startOwnRedis();
const api = await startApi({ EGRESS_STAND_IN_URL: amazon.url, REDIS_CACHE_URL: redis.url });
beforeEach(async () => {
  await api.empty();
  await api.redis.flushall();
  amazon.requests.length = 0;
});

const target = "https://www.amazon.com/dp/B0CX23V2ZK?tag=tapthru-20&linkCode=ogi&th=1";

describe("POST /api/resolve-link", () => {
  // Specification 5.3
  it("returns the store page that a short link leads to, byte for byte", async () => {
    const response = await api.post("/api/resolve-link", { url: "https://amzn.to/3TapTru" });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ resolvedUrl: target });
  });

  it.each([
    ["an empty address", " ", 422, ERRORS["not-a-short-link"].message],
    ["a store page", "https://www.amazon.com/dp/B0CX23V2ZK", 422, ERRORS["not-a-short-link"].message],
    ["a link that leads elsewhere", "https://amzn.to/evilHst", 422, ERRORS["unusable-link"].message],
    ["a loop", "https://amzn.to/loopAAA", 502, ERRORS["short-link-failed"].message],
    ["a code Amazon does not know", "https://amzn.to/missing", 502, ERRORS["short-link-failed"].message],
  ])("rejects %s", async (_title, url, status, message) => {
    const response = await api.post("/api/resolve-link", { url });
    expect([response.status, await response.text()]).toEqual([status, message]);
  });
});

// Specification 8.3
it.each([
  [
    "a loop",
    "https://amzn.to/loopAAA",
    "Failed to resolve Amazon short link",
    "bad-response, amzn.to, too many redirects",
  ],
  [
    "a missing link",
    "https://amzn.to/missing",
    "Failed to resolve Amazon short link",
    "bad-response, amzn.to, status 404",
  ],
  [
    "a link that never responds",
    "https://amzn.to/hanging",
    "Server failed to resolve the short link",
    "too-slow, amzn.to",
  ],
])("logs the failure of %s", async (_title, url, message, cause) => {
  await api.post("/api/resolve-link", { url });
  const warnings = api.lines.filter(({ level }) => level === "warn");
  expect(warnings.at(-1)).toMatchObject({ err: { message, cause: { message: cause } } });
});

it("does not count requests that wait for Amazon as work in progress", async () => {
  const hanging = Array.from({ length: MAX_REQUESTS_IN_PROGRESS + 1 }, () =>
    api.post("/api/resolve-link", { url: "https://amzn.to/hanging" }),
  );
  const statuses = (await Promise.all(hanging)).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([504]));
  expect(amazon.requests).toHaveLength(hanging.length);
});

describe("POST /api/generate with a short link", () => {
  it("creates a link to the resolved page, with every parameter", async () => {
    const response = await api.post("/api/generate", { url: " https://amzn.to/3TapTru " });
    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject({ originalUrl: target });
    expect(await api.query("SELECT web_url, original_url FROM links")).toEqual([
      { web_url: target, original_url: target },
    ]);
  });

  it.each(["redirHt", "signInA", "sspaOut"])(
    "rejects %s, which leads to a redirector or an account page",
    async (code) => {
      const response = await api.post("/api/generate", { url: `https://amzn.to/${code}` });
      expect([response.status, await response.text()]).toEqual([422, ERRORS["unusable-link"].message]);
      expect(await api.query("SELECT 1 FROM links")).toEqual([]);
    },
  );

  it("returns the link of a replayed key without a request to Amazon", async () => {
    const headers = { "idempotency-key": "a-key-of-the-visitor-22-or-more" };
    const first = await api.post("/api/generate", { url: "https://amzn.to/3TapTru" }, headers);
    await api.redis.flushall();
    const again = await api.post("/api/generate", { url: "https://amzn.to/3TapTru" }, headers);
    expect(again.status).toBe(201);
    expect(await again.json()).toEqual(await first.json());
    expect(amazon.requests).toHaveLength(1);
  });
});

describe("resolution cache", () => {
  const RESOLVED = { kind: "resolved", url: "https://www.amazon.com/dp/B0CX23V2ZK?tag=me-20" } as const;
  const DAY_S = 24 * 60 * 60;

  let cache: RequestRedis;
  beforeAll(async () => {
    cache = createRequestRedis({
      url: process.env.TEST_REDIS_URL ?? "",
      name: "cache",
      budgetMs: 5_000,
      logger: createLogger({ service: "test", level: "fatal" }),
    });
    await cache.start?.();
  });
  afterAll(() => cache.stop?.());

  const freshLink = () => `https://amzn.to/${randomUUID()}`;

  function createCache(...resolutions: Resolution[]) {
    const followed: string[] = [];
    const { logger, lines } = createTestLogger();
    const follow = async (url: string) => {
      followed.push(url);
      return resolutions.shift() ?? ({ kind: "too-slow" } as const);
    };
    const resolve = cacheResolutions({ redis: cache, follow, logger });
    return { resolve, followed, lines };
  }

  const lifetime = (url: string) => cache.run((client) => client.ttl(resolutionKey(url)));

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
      await cache.run((client) => client.set(resolutionKey(url), planted, "EX", 60));
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
});
