import { randomBytes } from "node:crypto";
import { redirectKey } from "@tapthru/proto/redirect/record";
import { Redis } from "ioredis";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  ANDROID,
  CRAWLER,
  createTestDatabase,
  DESKTOP,
  IPHONE,
  liveRecord,
  newCode,
  startTestService,
  type TestDatabase,
  type TestService,
} from "./testing/test-service.ts";

let database: TestDatabase;
let service: TestService;

beforeAll(async () => {
  database = await createTestDatabase();
  const redisUrl = process.env.TEST_REDIS_URL ?? "";
  service = await startTestService({ databaseUrl: database.url, redisUrl, rateLimits: "off" });
});
afterAll(async () => {
  await service?.stop();
  await database?.drop();
});

const LINKS = 10_000;
const METHODS = ["GET", "HEAD", "POST", "PURGE", "PROPFIND", "M-SEARCH"] as const;
const AGENTS = [IPHONE, ANDROID, DESKTOP, CRAWLER];
const randomTexts: string[] = [];
function randomText(): string {
  const text = randomBytes(6).toString("hex");
  randomTexts.push(text);
  return text;
}

/** Requests each link with new agents, paths, queries and various methods. */
async function visit(codes: readonly string[]): Promise<void> {
  await Promise.all(
    codes.map(async (code, i) => {
      const headers = { "user-agent": `${AGENTS[i % AGENTS.length]} ${randomText()}/${i}` };
      const method = METHODS[i % METHODS.length] as "GET";
      const urls = [
        `/l/${code}?x=${randomText()}`,
        `/l/${randomText()}`,
        `/${randomText()}/${randomText()}`,
        `/redirect?product_id=${randomText()}`,
        `/l/${code}/outcome`,
      ];
      await service.app.inject({ method: "GET", url: urls[0] as string, headers });
      await service.app.inject({ method, url: urls[i % urls.length] as string, headers });
    }),
  );
}

async function seriesNow(): Promise<string[]> {
  const text = await service.context.registry.metrics();
  return text.split("\n").filter((line) => line.startsWith("tapthru_"));
}

it("has few time series after requests for 10,000 links with as many agents, paths and codes", async () => {
  const codes = Array.from({ length: LINKS }, newCode);
  const redis = new Redis(process.env.TEST_REDIS_URL ?? "");
  const record = JSON.stringify(liveRecord());
  await redis.mset(new Map(codes.map((code) => [redirectKey(code), record])));
  for (let i = 0; i < LINKS; i += 500) await visit(codes.slice(i, i + 500));
  await redis.del(codes.map(redirectKey));
  redis.disconnect();
  const series = await seriesNow();
  const sent = [...codes, ...randomTexts];
  expect(series.length).toBeGreaterThan(100);
  expect(series.length).toBeLessThan(1_000);
  const text = series.join("\n");
  expect(sent.filter((value) => text.includes(value))).toEqual([]);
}, 120_000);
