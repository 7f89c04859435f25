import { createLogger } from "@tapthru/core/platform/logger";
import { createRequestRedis } from "@tapthru/core/platform/redis/redis";
import { createRedisCluster } from "@tapthru/core/platform/testing/redis-cluster";
import { redirectKey } from "@tapthru/proto/redirect/record";
import { startService } from "@tapthru/stack/testing/service-process";
import { afterAll, expect, it, onTestFinished, vi } from "vitest";
import { databaseForFile } from "./testing/start-world.ts";
import { DESKTOP, startTestService, type TestService, WEB_URL } from "./testing/test-service.ts";

const WAIT = { timeout: 60_000, interval: 100 };
const CODES = Array.from({ length: 30 }, (_, n) => `cluster-${n}`);

const database = await databaseForFile();
const cluster = await createRedisCluster();
afterAll(() => cluster.remove());
const worker = await startService("worker", {
  DATABASE_URL: await database.urlAs("tapthru_worker"),
  REDIS_CACHE_URL: cluster.url,
  REDIS_QUEUE_URL: cluster.url,
});
afterAll(() => worker.stop());
const startRedirect = () => startTestService({ databaseUrl: database.url, redisUrl: cluster.url, rateLimits: "off" });
const redirect = await startRedirect();
afterAll(() => redirect.stop());
const logger = createLogger({ service: "test", level: "silent" });
const redis = createRequestRedis({ url: cluster.url, name: "test", budgetMs: 5_000, logger });
await redis.start?.();
afterAll(() => redis.stop?.());
for (const code of CODES) await database.insertLink(code);

async function destination(code: string, service: TestService): Promise<string> {
  const response = await service.app.inject({
    url: `/l/${code}`,
    headers: { "user-agent": DESKTOP, "accept-language": "de" },
  });
  return String(response.headers.location ?? response.statusCode);
}

const recordExists = (code: string) =>
  vi.waitFor(async () => expect(await redis.run((client) => client.exists(redirectKey(code)))).toBe(1), WAIT);

it("opens every link while a master is replaced, also in a redirect that starts then", async () => {
  for (const code of CODES) await recordExists(code);
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
});

it("rebuilds the records that one master lost", async () => {
  const queueMaster = await cluster.masterOf("{jobs}");
  const masters = await Promise.all(CODES.map((code) => cluster.masterOf(redirectKey(code))));
  const code = CODES[masters.findIndex((master) => master !== queueMaster)] ?? "";
  await recordExists(code);
  await cluster.emptyMasterOf(redirectKey(code));
  await recordExists(code);
});
