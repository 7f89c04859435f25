import { createLogger } from "@tapthru/core/platform/logger";
import { createRequestRedis, type RequestRedis } from "@tapthru/core/platform/redis/redis";
import { createRedisCluster, type TestCluster } from "@tapthru/core/platform/testing/redis-cluster";
import { PROJECTION_KEY, redirectKey } from "@tapthru/proto/redirect/record";
import { type ServiceProcess, startService } from "@tapthru/stack/testing/service-process";
import { Cluster } from "ioredis";
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import {
  createTestDatabase,
  DESKTOP,
  startTestService,
  type TestDatabase,
  type TestService,
  WEB_URL,
} from "./testing/test-service.ts";

const WAIT = { timeout: 60_000, interval: 100 };
const CODES = Array.from({ length: 30 }, (_, n) => `cluster-${n}`);
const OTHER_URL = "https://www.amazon.de/dp/B0ZZ9Z9Z9Z";

let cluster: TestCluster;
let database: TestDatabase;
let worker: ServiceProcess;
let redirect: TestService;
let redis: RequestRedis;

beforeAll(async () => {
  [cluster, database] = await Promise.all([createRedisCluster(), createTestDatabase()]);
  worker = await startService("worker", {
    DATABASE_URL: await database.urlAs("tapthru_worker"),
    REDIS_CACHE_URL: cluster.url,
    REDIS_QUEUE_URL: cluster.url,
  });
  redirect = await startRedirect();
  const logger = createLogger({ service: "test", level: "silent" });
  redis = createRequestRedis({ url: cluster.url, name: "test", budgetMs: 5_000, logger });
  await redis.start?.();
  for (const code of CODES) await database.insertLink(code);
});
afterAll(async () => {
  await redis?.stop?.();
  await redirect?.stop();
  await worker?.stop();
  await cluster?.remove();
  await database?.drop();
});

const startRedirect = () => startTestService({ databaseUrl: database.url, redisUrl: cluster.url, rateLimits: "off" });

async function destination(code: string, service = redirect): Promise<string> {
  const headers = { "user-agent": DESKTOP };
  const response = await service.app.inject({ url: `/l/${code}`, headers });
  return String(response.headers.location ?? response.statusCode);
}

const recordExists = (code: string) =>
  vi.waitFor(async () => expect(await redis.run((client) => client.exists(redirectKey(code)))).toBe(1), WAIT);

async function expectChange(code: string, change: () => Promise<void>, expected: string) {
  await change();
  await vi.waitFor(async () => expect(await destination(code)).toBe(expected), WAIT);
}

it("projects links to all masters, and changes reach the redirect", async () => {
  for (const code of CODES) await recordExists(code);
  for (const code of CODES) expect(await destination(code)).toBe(WEB_URL);
  await expectChange("cluster-1", () => database.updateWebUrl("cluster-1", OTHER_URL), OTHER_URL);
  await expectChange("cluster-1", () => database.updateWebUrl("cluster-1", WEB_URL), WEB_URL);
}, 120_000);

it("opens every link while a master is replaced, also in a redirect that starts then", async () => {
  const master = await cluster.masterOf(redirectKey("cluster-0"));
  const failed: string[] = [];
  let visits = 0;
  let isOver = false;
  async function visitAll(service: TestService): Promise<void> {
    while (!isOver) {
      const opened = await Promise.all(CODES.map((code) => destination(code, service)));
      failed.push(...opened.filter((location) => location !== WEB_URL));
      visits += opened.length;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  const load = [visitAll(redirect)];
  await master.kill();
  const started = await startRedirect();
  onTestFinished(() => started.stop());
  load.push(visitAll(started));
  await recordExists("cluster-0");
  expect(await cluster.masterOf(redirectKey("cluster-0"))).not.toBe(master);
  await master.start();
  await cluster.untilHealthy();
  isOver = true;
  await Promise.all(load);
  expect(visits).toBeGreaterThan(CODES.length);
  expect(failed).toEqual([]);
}, 120_000);

it("projects changes after a failover", async () => {
  await database.insertLink("cluster-late");
  await recordExists("cluster-late");
  await expectChange("cluster-0", () => database.updateWebUrl("cluster-0", OTHER_URL), OTHER_URL);
  await expectChange("cluster-2", () => database.deleteLink("cluster-2"), "410");
}, 120_000);

it("rebuilds the records that one master lost", async () => {
  const queueMaster = await cluster.masterOf("{jobs}");
  const masters = await Promise.all(CODES.map((code) => cluster.masterOf(redirectKey(code))));
  const code = CODES[masters.findIndex((master) => master !== queueMaster)] ?? "";
  await recordExists(code);
  await cluster.emptyMasterOf(redirectKey(code));
  await recordExists(code);
}, 120_000);

it("has markers of the records in each twentieth of the slots", async () => {
  const slots = await redis.run(async (client) => {
    const masters = client instanceof Cluster ? client.nodes("master") : [];
    const keys = await Promise.all(masters.map((master) => master.keys(`${PROJECTION_KEY}:*`)));
    return Promise.all(keys.flat().map((key) => client.cluster("KEYSLOT", key)));
  });
  const ordered = [0, ...slots.map(Number).sort((a, b) => a - b), 16_384];
  const gaps = ordered.slice(1).map((slot, i) => slot - (ordered[i] ?? 0));
  expect(Math.max(...gaps)).toBeLessThan(16_384 / 20);
});
