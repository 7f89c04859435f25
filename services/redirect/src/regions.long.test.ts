import { redirectKey } from "@tapthru/proto/redirect/record";
import { createRedirectStore, type RedirectStore } from "@tapthru/runtime/redis/redirect-store";
import { createRequestRedis, type RequestRedis } from "@tapthru/runtime/redis/redis";
import { type ControlledRedis, startRedis } from "@tapthru/runtime/testing/controlled-redis";
import { createTcpProxy, type TcpProxy } from "@tapthru/runtime/testing/tcp-proxy";
import { createTestLogger } from "@tapthru/runtime/testing/test-logger";
import { type ServiceProcess, startService } from "@tapthru/stack/testing/service-process";
import { startTestStandby, type TestStandby } from "@tapthru/stack/testing/test-standby";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import {
  createTestDatabase,
  DESKTOP,
  newCode,
  startTestService,
  type TestDatabase,
  type TestService,
} from "./testing/test-service.ts";

const WAIT = { timeout: 60_000, interval: 50 };

interface Region {
  /** All connections of the region to the primary, except that of its standby. */
  primary: TcpProxy;
  server: ControlledRedis;
  cache: RequestRedis;
  records: RedirectStore;
  relay: ServiceProcess;
}

let servers: TestStandby;
let database: TestDatabase;
let region: Region;
let other: Region;
let redirect: TestService;

beforeAll(async () => {
  servers = await startTestStandby();
  database = await createTestDatabase(servers.primaryUrl);
}, 120_000);
afterAll(async () => {
  await database?.drop();
  await servers?.stop();
});

beforeEach(async () => {
  await servers.resume();
  await servers.catchUp();
  [region, other] = await Promise.all([startRegion(), startRegion()]);
  redirect = await startRedirect();
  await vi.waitFor(() => expect(monitor()?.isUsed).toBe(true), WAIT);
}, 60_000);
afterEach(async () => {
  await redirect?.stop();
  await Promise.all([region, other].map(stopRegion));
}, 60_000);

function startRedirect(): Promise<TestService> {
  const standby = new URL(database.url);
  standby.port = new URL(servers.standbyUrl).port;
  const urls = { databaseUrl: region.primary.url, redisUrl: region.server.url };
  return startTestService({ ...urls, standbyUrl: standby.href, rateLimits: "off" });
}

async function startRegion(): Promise<Region> {
  const primary = await createTcpProxy(database.url);
  const server = await startRedis();
  const { logger } = createTestLogger();
  const cache = createRequestRedis({ url: server.url, name: "test", budgetMs: 5_000, logger });
  await cache.start?.();
  const relay = await startService("region-relay", {
    DATABASE_URL: primary.url,
    REDIS_CACHE_URL: server.url,
  });
  const records = createRedirectStore(cache, logger);
  return { primary, server, cache, records, relay };
}

async function stopRegion({ relay, cache, server, primary }: Region): Promise<void> {
  await relay.stop();
  await cache.stop?.();
  await server.remove();
  await primary.refuse();
}

const monitor = () => redirect.context.resolverStack.standby;

async function status(code: string, { app } = redirect): Promise<number> {
  const headers = { "user-agent": DESKTOP };
  return (await app.inject({ url: `/l/${code}`, headers })).statusCode;
}

const becomes = (code: string, expected: number) =>
  vi.waitFor(async () => expect(await status(code)).toBe(expected), WAIT);
const isStored = (code: string, record: object, { records } = region) =>
  vi.waitFor(async () => expect(await records.get(code)).toMatchObject(record), WAIT);

/** A link that the standby has. */
async function insertLink(): Promise<string> {
  const code = newCode();
  await database.insertLink(code);
  await servers.catchUp();
  return code;
}

const GONE = { state: "gone", revision: 2 };

it("a deletion reaches the Redis of each region, and the memory of its redirects", async () => {
  const code = await insertLink();
  for (const each of [region, other]) await isStored(code, { state: "live" }, each);
  expect(await status(code)).toBe(302);
  await database.deleteLink(code);
  await becomes(code, 410);
  for (const each of [region, other]) await isStored(code, GONE, each);
}, 120_000);

it("a region that is cut off opens what it has, delays no other, and drops deleted links afterwards", async () => {
  const [inMemory, inRedis, inStandby] = [
    await insertLink(),
    await insertLink(),
    await insertLink(),
  ];
  for (const code of [inMemory, inRedis, inStandby]) await isStored(code, { state: "live" });
  expect(await status(inMemory)).toBe(302);
  await region.cache.run((client) => client.del(redirectKey(inStandby)));
  await servers.pause();
  await region.primary.refuse();

  for (const code of [inMemory, inRedis, inStandby]) await database.deleteLink(code);
  await isStored(inRedis, GONE, other);
  for (const code of [inMemory, inRedis, inStandby]) await becomes(code, 302);
  await isStored(inRedis, { state: "live" });

  await region.primary.accept();
  for (const code of [inMemory, inRedis, inStandby]) {
    await becomes(code, 410);
    await isStored(code, GONE);
  }
}, 180_000);

it("a redirect that starts in a region that is cut off reads the region's standby", async () => {
  const [kept, deleted] = [await insertLink(), await insertLink()];
  await database.deleteLink(deleted);
  await isStored(kept, { state: "live" });
  await isStored(deleted, GONE);
  await servers.catchUp();
  await region.primary.refuse();
  for (const code of [kept, deleted])
    await region.cache.run((client) => client.del(redirectKey(code)));

  const late = await startRedirect();
  onTestFinished(() => late.stop());
  await vi.waitFor(() => expect(late.context.resolverStack.standby?.isUsed).toBe(true), WAIT);
  expect(await status(kept, late)).toBe(302);
  expect(await status(deleted, late)).toBe(410);
}, 120_000);

it("a standby that is behind does not bring a deleted link back, with or without its tombstone", async () => {
  const code = await insertLink();
  await isStored(code, { state: "live" });
  await servers.pause();
  await database.deleteLink(code);
  await isStored(code, GONE);
  expect(await status(code)).toBe(410);
  await region.cache.run((client) => client.del(redirectKey(code)));
  redirect.context.resolverStack.memory.links.deleteOlder(code, 3);
  expect(await status(code)).toBe(410);
  await redirect.context.resolverStack.tail.sync();
  expect(await region.records.get(code)).not.toMatchObject({ state: "live" });
}, 120_000);

it("the relay is ready once it has relayed changes, and reports its lag", async () => {
  const origin = region.relay.adminUrl;
  await vi.waitFor(async () => expect((await fetch(`${origin}/readyz`)).status).toBe(200), WAIT);
  const metrics = await (await fetch(`${origin}/metrics`)).text();
  expect(metrics).toMatch(/^tapthru_region_changes_lag_seconds [\d.]+$/m);
}, 60_000);
