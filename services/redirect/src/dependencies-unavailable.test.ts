import { type ControlledRedis, startRedis } from "@tapthru/core/platform/testing/controlled-redis";
import { createTcpProxy, type TcpProxy } from "@tapthru/core/platform/testing/tcp-proxy";
import { VISITS_IN_PROGRESS_MAX } from "@tapthru/proto/rules/limits";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { TIMEOUTS } from "./context.ts";
import { WAITING_VISITS_MAX } from "./resolve/resolver.ts";
import { databaseForFile, eventually } from "./testing/start-world.ts";
import { DESKTOP, liveRecord, newCode, startTestService, type TestService, WEB_URL } from "./testing/test-service.ts";

const database = await databaseForFile();
let postgres: TcpProxy;
let redis: ControlledRedis;
let service: TestService;

beforeEach(async () => {
  postgres = await createTcpProxy(database.url);
  redis = await startRedis();
});
afterEach(async () => {
  postgres.release();
  await service.stop();
  await postgres.refuse().catch(() => {});
  await redis.remove();
});

/** @param timeouts the real ones for dependencies that hang in the test */
async function start(timeouts: Partial<typeof TIMEOUTS> = {}): Promise<void> {
  service = await startTestService({ databaseUrl: postgres.url, redisUrl: redis.url }, timeouts);
}

const get = (code: string) => service.app.inject({ url: `/l/${code}`, headers: { "user-agent": DESKTOP } });
const put = (code: string) => service.context.redirectStore.put(code, liveRecord());

async function codeInPostgres(): Promise<string> {
  const code = newCode();
  await database.insertLink(code);
  return code;
}

async function unknownCode(): Promise<string> {
  const code = newCode();
  expect((await get(code)).statusCode).toBe(404);
  return code;
}

describe("Redis unavailable", () => {
  beforeEach(() => start({ redisBudgetMs: TIMEOUTS.redisBudgetMs }));

  it.each([
    ["killed", () => redis.kill()],
    ["unresponsive", async () => redis.freeze()],
  ])("links resolve through Postgres (%s)", async (_, fail) => {
    const code = await codeInPostgres();
    await fail();
    for (let attempt = 0; attempt < 10; attempt++) {
      expect((await get(code)).headers.location).toBe(WEB_URL);
    }
    expect((await get(newCode())).statusCode).toBe(404);
  });

  it("uses Redis again when it is available", async () => {
    await redis.kill();
    const code = await codeInPostgres();
    expect((await get(code)).statusCode).toBe(302);
    await redis.start();
    await eventually(() => put(code));
    await database.client.query("DELETE FROM links WHERE short_code = $1", [code]);
    expect((await get(code)).headers.location).toBe(WEB_URL);
  });
});

describe("Postgres unavailable", () => {
  beforeEach(() => start({ ...TIMEOUTS, redisBudgetMs: 5_000 }));

  it.each([
    ["refusing", () => postgres.refuse()],
    ["unresponsive", async () => postgres.hold()],
  ])("links in Redis open, all others are 503 (%s)", async (_, fail) => {
    const known = newCode();
    await put(known);
    const unknown = await codeInPostgres();
    await fail();
    expect((await get(known)).headers.location).toBe(WEB_URL);
    const response = await get(unknown);
    expect(response.statusCode).toBe(503);
    expect(Number(response.headers["retry-after"])).toBeGreaterThan(0);
    expect(response.headers["cache-control"]).toBe("no-store");
  });

  it("uses Postgres again when it is available", async () => {
    const code = await codeInPostgres();
    await postgres.refuse();
    expect((await get(code)).statusCode).toBe(503);
    await postgres.accept();
    await eventually(async () => expect((await get(code)).statusCode).toBe(302));
  });
});

describe("Postgres unresponsive while many visit links that are not in memory", () => {
  const visit = async (url: string, index = 0) => {
    const remoteAddress = `203.0.${index >> 8}.${index & 255}`;
    const headers = { "user-agent": DESKTOP };
    return (await service.app.inject({ url, headers, remoteAddress })).statusCode;
  };
  let statuses: number[];
  const visits = (code: string, count: number) =>
    Array.from({ length: count }, async (_, index) => {
      statuses.push(await visit(`/l/${code}`, index));
    });

  beforeEach(() => {
    statuses = [];
    // A visit of a link in memory waits for changes first.
    return start({ changesDeadlineMs: 2_000 });
  });

  it.each([
    ["of a link", codeInPostgres, 302],
    ["of a code that was unknown a moment ago", unknownCode, 404],
  ])(
    "some %s wait and the others get 503 at once, so that the gateway still passes on visits of links in memory",
    async (_, code, expected) => {
      const warm = await codeInPostgres();
      expect(await visit(`/l/${warm}`)).toBe(302);
      const cold = await code();
      postgres.hold();
      const all = visits(cold, VISITS_IN_PROGRESS_MAX);
      const refused = VISITS_IN_PROGRESS_MAX - WAITING_VISITS_MAX;
      await eventually(() => expect(statuses).toEqual(Array(refused).fill(503)));
      expect(await visit(`/l/${warm}`)).toBe(302);
      postgres.release();
      await Promise.all(all);
      expect(statuses.filter((status) => status === expected)).toHaveLength(WAITING_VISITS_MAX);
      expect(await visit(`/l/${cold}`)).toBe(expected);
    },
  );
});

it("a redirect that started before Redis and Postgres resolves links as soon as one of them is available", async () => {
  await redis.kill();
  await postgres.refuse();
  await start();
  const code = await codeInPostgres();
  expect((await get(code)).statusCode).toBe(503);
  await postgres.accept();
  await eventually(async () => expect((await get(code)).statusCode).toBe(302));
});
