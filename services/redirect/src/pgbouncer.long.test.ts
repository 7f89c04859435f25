import { withClient } from "@tapthru/postgres/with-client";
import {
  type ControlledRedis,
  createControlledRedis,
} from "@tapthru/runtime/testing/controlled-redis";
import { findOnPath } from "@tapthru/stack/programs/on-path";
import { skipWithout } from "@tapthru/stack/testing/skip-tests";
import { startTestPgBouncer, type TestPgBouncer } from "@tapthru/stack/testing/test-pgbouncer";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import {
  createTestDatabase,
  DESKTOP,
  newCode,
  startTestService,
  type TestDatabase,
  type TestService,
} from "./testing/test-service.ts";

const LOOKUPS = 200;

const isInstalled = findOnPath("pgbouncer") !== null;
skipWithout("pgbouncer");

let database: TestDatabase;
let pgBouncer: TestPgBouncer;
let redis: ControlledRedis;
let service: TestService;

beforeAll(async () => {
  if (!isInstalled) return;
  database = await createTestDatabase();
  const name = new URL(database.url).pathname.slice(1);
  pgBouncer = await startTestPgBouncer(process.env.TEST_DATABASE_URL ?? "", name);
  // Not started: every look-up is one in Postgres.
  redis = await createControlledRedis();
  const databaseUrl = pgBouncer.pooled(database.url);
  service = await startTestService({
    databaseUrl,
    redisUrl: redis.url,
    rateLimits: "off",
    preparedStatements: "off",
  });
});
afterAll(async () => {
  await service?.stop();
  await pgBouncer?.stop();
  await redis?.remove();
  await database?.drop();
});

const status = async (code: string) =>
  (await service.app.inject({ url: `/l/${code}`, headers: { "user-agent": DESKTOP } })).statusCode;

it("opens links from Postgres, with fewer connections than the redirect has", async () => {
  const codes = Array.from({ length: LOOKUPS }, newCode);
  for (const code of codes) await database.insertLink(code);
  const statuses = await Promise.all(codes.slice(0, 100).map(status));
  expect(new Set(statuses)).toEqual(new Set([302]));
  const { rows } = await database.client.query(
    "SELECT count(*)::int AS connections FROM pg_stat_activity WHERE usename = $1",
    [new URL(database.url).username],
  );
  expect(rows[0].connections).toBeLessThanOrEqual(3);
});

it("learns of a deletion from the outbox", async () => {
  const code = newCode();
  await database.insertLink(code);
  expect(await status(code)).toBe(302);
  await database.deleteLink(code);
  await vi.waitFor(async () => expect(await status(code)).toBe(404), { timeout: 10_000 });
});

it("applies the timeout of the role, because the one of the client is ignored", async () => {
  const { username } = new URL(database.url);
  await database.client.query(`ALTER ROLE ${username} SET statement_timeout = '432ms'`);
  await withClient(pgBouncer.session(database.url), async (client) => {
    const { rows } = await client.query("SHOW statement_timeout");
    expect(rows[0].statement_timeout).toBe("432ms");
  });
});
