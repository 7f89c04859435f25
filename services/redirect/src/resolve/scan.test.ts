import { startRedis } from "@tapthru/core/platform/testing/controlled-redis";
import { redirectKey } from "@tapthru/proto/redirect/record";
import { Redis } from "ioredis";
import { afterAll, expect, it } from "vitest";
import { eventually, startWorld } from "../testing/start-world.ts";
import { newCode, WEB_URL } from "../testing/test-service.ts";

const redis = await startRedis();
const client = new Redis(redis.url);
afterAll(async () => {
  client.disconnect();
  await redis.remove();
});
const world = await startWorld({ redisUrl: redis.url });

const get = (code: string, address: string) => world.get(`/l/${code}`, { headers: { "x-forwarded-for": address } });

/** Repeats the request while the rate of lookups is exceeded. */
const statusAfterLookup = (code: string, address: string) =>
  eventually(async () => {
    const { statusCode } = await get(code, address);
    expect(statusCode).not.toBe(503);
    return statusCode;
  });

it("rejects an address after 120 unknown codes in a minute, except for cached links", async () => {
  const address = "198.51.100.1";
  const known = newCode();
  await world.database.insertLink(known);
  expect((await get(known, "198.51.100.2")).headers.location).toBe(WEB_URL);
  for (let i = 0; i < 120; i++) expect(await statusAfterLookup(newCode(), address)).toBe(404);
  const rejected = await get(newCode(), address);
  expect(rejected.statusCode).toBe(429);
  expect(Number(rejected.headers["retry-after"])).toBeGreaterThan(0);
  expect(Number(rejected.headers["retry-after"])).toBeLessThanOrEqual(60);
  expect((await get(known, address)).headers.location).toBe(WEB_URL);
  expect(await statusAfterLookup(newCode(), "198.51.100.2")).toBe(404);
});

it("looks up at most a burst of codes from many addresses, and writes no record", async () => {
  const recordCount = async () => (await client.keys(redirectKey("*"))).length;
  const recordsBefore = await recordCount();
  const responses = await Promise.all(
    Array.from({ length: 2_000 }, (_, i) => get(newCode(), `10.0.${i >> 8}.${i & 255}`)),
  );
  const count = (status: number) => responses.filter(({ statusCode }) => statusCode === status).length;
  expect(count(404) + count(503)).toBe(2_000);
  expect(count(404)).toBeGreaterThan(0);
  expect(count(503)).toBeGreaterThan(0);
  expect(await recordCount()).toBe(recordsBefore);
});
