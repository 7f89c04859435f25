import { startRedis } from "@tapthru/core/platform/testing/controlled-redis";
import { RATE_LIMITS_PER_MINUTE } from "@tapthru/proto/rules/limits";
import { afterAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { product } from "../testing/test-links.ts";
import { startApi } from "../testing/world.ts";

const TOKEN = "canary-0123456789abcdef0123456789abcdef";
const HOUR_MS = 60 * 60 * 1_000;
const BUDGET = 5;

const redis = await startRedis();
afterAll(() => redis.remove());
const untilMs = Date.now() + HOUR_MS;
const api = await startApi({
  REDIS_CACHE_URL: redis.url,
  RATE_LIMITS: "on",
  RATE_LIMIT_TOKEN: { token: TOKEN, untilMs },
  ANONYMOUS_CREATES_PER_MINUTE: BUDGET,
});
beforeEach(async () => void (await api.redis.flushall()));

/** The statuses of more creates than one address and all visitors together may send. */
async function statusesOfCreates(headers: Record<string, string>): Promise<Set<number>> {
  const create = (number: number) => api.post("/api/generate", { url: `${product}&number=${number}` }, headers);
  const { address } = RATE_LIMITS_PER_MINUTE.generate;
  const numbers = Array.from({ length: address + 1 }, (_, number) => number);
  return new Set((await Promise.all(numbers.map(create))).map(({ status }) => status));
}

describe("requests with the token", () => {
  it("have no limit, and the token is in no log record, metric or Redis key", async () => {
    expect(await statusesOfCreates({ "rate-limit-token": TOKEN })).toEqual(new Set([201]));
    const stored = [api.lines, await api.context.registry.metrics(), await api.redis.keys("*")];
    expect(JSON.stringify(stored)).not.toContain("canary");
  });

  it("have limits after its time", async () => {
    vi.setSystemTime(untilMs);
    onTestFinished(() => void vi.useRealTimers());
    expect(await statusesOfCreates({ "rate-limit-token": TOKEN })).toContain(429);
  });
});

it.each(["", TOKEN.slice(1), `${TOKEN}x`])("requests with %j have limits", async (token) => {
  expect(await statusesOfCreates({ "rate-limit-token": token })).toContain(429);
});
