import { startAmazonStandIn } from "@tapthru/amazon-stand-in/stand-in";
import { startRedis } from "@tapthru/core/platform/testing/controlled-redis";
import { ERRORS } from "@tapthru/proto/errors";
import { MAX_REQUESTS_IN_PROGRESS } from "@tapthru/proto/rules/limits";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { startApi } from "../testing/world.ts";

const amazon = await startAmazonStandIn();
afterAll(() => amazon.stop());
const redis = await startRedis();
afterAll(() => redis.remove());
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
