import {
  type ControlledRedis,
  createControlledRedis,
} from "@tapthru/runtime/testing/controlled-redis";
import { Redis } from "ioredis";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import {
  createTestDatabase,
  DESKTOP,
  newCode,
  startTestService,
  type TestDatabase,
  type TestService,
  WEB_URL,
} from "../testing/test-service.ts";

let database: TestDatabase;
let redis: ControlledRedis;
let service: TestService;
let client: Redis;

beforeAll(async () => {
  database = await createTestDatabase();
  redis = await createControlledRedis();
  await redis.start();
  client = new Redis(redis.url);
  service = await startTestService({ databaseUrl: database.url, redisUrl: redis.url });
});
afterAll(async () => {
  client.disconnect();
  await service.stop();
  await redis.remove();
  await database.drop();
});

const ask = (code: string, address: string) =>
  service.app.inject({
    url: `/l/${code}`,
    headers: { "user-agent": DESKTOP, "x-forwarded-for": address },
  });

/** The status once Postgres was asked: these are more codes than a replica looks up at a blow. */
const lookedUp = (code: string, address: string) =>
  vi.waitFor(
    async () => {
      const { statusCode } = await ask(code, address);
      expect(statusCode).not.toBe(503);
      return statusCode;
    },
    { timeout: 10_000, interval: 5 },
  );

it("refuses an address after 120 unknown codes in a minute, but no link that is known", async () => {
  const address = "198.51.100.1";
  const known = newCode();
  await database.insertLink(known);
  expect((await ask(known, "198.51.100.2")).headers.location).toBe(WEB_URL);

  for (let i = 0; i < 120; i++) expect(await lookedUp(newCode(), address)).toBe(404);
  const refused = await ask(newCode(), address);
  expect(refused.statusCode).toBe(429);
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
  expect(Number(refused.headers["retry-after"])).toBeLessThanOrEqual(60);
  expect((await ask(known, address)).headers.location).toBe(WEB_URL);
  expect(await lookedUp(newCode(), "198.51.100.2")).toBe(404);
});

it("asks Postgres for no more than a burst of many addresses at once, and keeps nothing", async () => {
  const recordsBefore = await client.dbsize();
  const answers = await Promise.all(
    Array.from({ length: 2_000 }, (_, i) => ask(newCode(), `10.0.${i >> 8}.${i & 255}`)),
  );
  const count = (status: number) =>
    answers.filter(({ statusCode }) => statusCode === status).length;
  expect(count(404) + count(503)).toBe(2_000);
  expect(count(404)).toBeGreaterThan(0);
  expect(count(503)).toBeGreaterThan(0);
  expect(await client.dbsize()).toBe(recordsBefore);
});
