import { type ControlledRedis, startRedis } from "@tapthru/core/platform/testing/controlled-redis";
import { createTcpProxy, type TcpProxy } from "@tapthru/core/platform/testing/tcp-proxy";
import { startTestStandby } from "@tapthru/stack/testing/test-standby";
import { afterAll, afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { databaseForFile, eventually } from "../../testing/start-world.ts";
import { DESKTOP, newCode, startTestService, type TestService, WEB_URL } from "../../testing/test-service.ts";

const servers = await startTestStandby();
afterAll(() => servers.stop());
const database = await databaseForFile(servers.primaryUrl);
let redis: ControlledRedis;
let primary: TcpProxy;
let standby: TcpProxy;
let service: TestService;
let code: string;

beforeEach(async () => {
  code = newCode();
  redis = await startRedis();
  await servers.resume();
  await servers.catchUp();
  primary = await createTcpProxy(database.url);
  standby = await createTcpProxy(onStandby(database.url));
  service = await startReplica();
  await untilUsed(true);
});
afterEach(async () => {
  vi.restoreAllMocks();
  for (const proxy of [primary, standby]) proxy.release();
  await service.stop();
  for (const proxy of [primary, standby]) await proxy.refuse().catch(() => {});
  await redis.remove();
});

/** Redis is killed in some tests, so its budget is one second. */
const startReplica = () =>
  startTestService(
    { databaseUrl: primary.url, standbyUrl: standby.url, redisUrl: redis.url },
    { redisBudgetMs: 1_000, queueBudgetMs: 1_000 },
  );

function onStandby(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.port = new URL(servers.standbyUrl).port;
  return url.href;
}

const monitor = () => service.context.resolverStack.standby;
const untilUsed = (isUsed: boolean) => eventually(() => expect(monitor()?.isUsed).toBe(isUsed));
const events = () => service.lines.map((line) => ("event" in line ? line.event : undefined));
const get = (shortCode = code) => service.app.inject({ url: `/l/${shortCode}`, headers: { "user-agent": DESKTOP } });
const status = async (shortCode?: string) => (await get(shortCode)).statusCode;
const inRedis = () => service.context.redirectStore.get(code);

/** Moves the clock on, as if the standby had been behind for longer. */
function pass(ms: number): void {
  const now = performance.now.bind(performance);
  vi.spyOn(performance, "now").mockImplementation(() => now() + ms);
}

describe("with a standby that is current", () => {
  it("opens a link although the primary is gone, and stores it in Redis once it is back", async () => {
    await database.insertLink(code);
    await servers.catchUp();
    await primary.refuse();
    await eventually(async () => expect((await get()).headers.location).toBe(WEB_URL));
    expect(await inRedis()).toBeNull();
    await primary.accept();
    const other = newCode();
    await database.insertLink(other);
    await servers.catchUp();
    await eventually(async () => expect(await service.context.resolverStack.tail.sync()).toBe(true));
    expect(await status(other)).toBe(302);
    await eventually(async () => expect(await service.context.redirectStore.get(other)).toMatchObject({ revision: 1 }));
  });

  it("responds with 503, not 404, to a code that the standby lacks while the primary is gone", async () => {
    await primary.refuse();
    expect(await status()).toBe(503);
  });

  it("opens a link from the primary while the standby is gone", async () => {
    await database.insertLink(code);
    await standby.refuse();
    expect(await status()).toBe(302);
    await untilUsed(false);
    expect(events()).toContain("standby_not_used");
    await standby.accept();
    await untilUsed(true);
  });

  it("opens a link from the primary while the standby does not respond", async () => {
    await service.stop();
    service = await startTestService(
      { databaseUrl: primary.url, standbyUrl: standby.url, redisUrl: redis.url },
      { standbyDeadlineMs: 50 },
    );
    await untilUsed(true);
    await database.insertLink(code);
    standby.hold();
    expect(await status()).toBe(302);
  });
});

describe("with a standby that is behind", () => {
  beforeEach(() => servers.pause());

  /** Adds a link that the standby has, and pauses the standby again. */
  async function addReplicatedLink() {
    await servers.resume();
    await database.insertLink(code);
    await servers.catchUp();
    await servers.pause();
  }

  it("opens a link that was just created without Redis", async () => {
    await redis.kill();
    expect(await status()).toBe(404);
    await database.insertLink(code);
    expect(await status()).toBe(302);
  });

  it.each([
    [" without Redis", () => redis.kill()],
    [", and 503 if the primary is gone", () => Promise.all([redis.kill(), primary.refuse()])],
  ])("does not open a deleted link%s", async (title, fail) => {
    await addReplicatedLink();
    await database.deleteLink(code);
    await service.context.resolverStack.tail.sync();
    await fail();
    expect(await status()).toBe(title.includes("503") ? 503 : 410);
  });

  it("does not write a deleted link to Redis that the tail had not read yet", async () => {
    await addReplicatedLink();
    const { tail } = service.context.resolverStack;
    await tail.sync();
    await database.deleteLink(code);
    // Either the standby's record, or that of the primary if a round of the tail was quicker.
    await get();
    await tail.sync();
    await eventually(async () => expect(await status()).toBe(410));
    expect(await inRedis()).not.toMatchObject({ state: "live" });
  });

  it("does not read it beyond five seconds, and goes on if the primary is gone", async () => {
    await addReplicatedLink();
    await database.insertLink(newCode());
    await redis.kill();
    await eventually(() => expect(monitor()?.ageMs).toBeGreaterThan(1_000));
    pass(6_000);
    await eventually(() => expect(events()).toContain("standby_not_used"));
    expect(monitor()?.note).toMatch(/^no links are read from the standby, age \d+ s$/);
    await primary.refuse();
    await eventually(async () => expect((await get()).headers.location).toBe(WEB_URL));
  });
});

it("is not used by a replica that is started without the primary, which cannot know its age", async () => {
  await database.insertLink(code);
  await servers.catchUp();
  await primary.refuse();
  const late = await startReplica();
  onTestFinished(() => late.stop());
  expect(late.context.resolverStack.standby?.isUsed).toBe(false);
  const reply = await late.app.inject({ url: `/l/${code}`, headers: { "user-agent": DESKTOP } });
  expect(reply.statusCode).toBe(503);
});

it("reports the age of the standby as a metric", async () => {
  const text = await service.context.registry.metrics();
  expect(text).toMatch(/^tapthru_redirect_standby_age_seconds [\d.]+$/m);
  expect(text).toMatch(/^tapthru_redirect_standby_used 1$/m);
});
