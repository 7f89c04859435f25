import { migrate } from "@tapthru/postgres/migrate";
import { withDatabase } from "@tapthru/postgres/testing/template-database";
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from "@tapthru/postgres/testing/throwaway-database";
import { withClient } from "@tapthru/postgres/with-client";
import { createLinks } from "@tapthru/proto/http/create-links";
import { listLinks } from "@tapthru/proto/http/links";
import { type ControlledRedis, startRedis } from "@tapthru/runtime/testing/controlled-redis";
import { findOnPath } from "@tapthru/stack/programs/on-path";
import { skipWithout } from "@tapthru/stack/testing/skip-tests";
import { startTestPgBouncer, type TestPgBouncer } from "@tapthru/stack/testing/test-pgbouncer";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { startThreeServices, type ThreeServices, WAIT } from "./testing/three-services.ts";

/** `default_pool_size` of the tests' PgBouncer. */
const POOL_SIZE = 3;

const SERVER_URL = process.env.TEST_DATABASE_URL ?? "";

const isInstalled = findOnPath("pgbouncer") !== null;
skipWithout("pgbouncer");

let database: ThrowawayDatabase;
let pgBouncer: TestPgBouncer;
let redis: ControlledRedis;
let services: ThreeServices;

beforeAll(async () => {
  if (!isInstalled) return;
  database = await createThrowawayDatabase(SERVER_URL);
  const name = new URL(database.url).pathname.slice(1);
  pgBouncer = await startTestPgBouncer(SERVER_URL, name);
  redis = await startRedis();
  services = await startThreeServices({
    database,
    databaseUrlOf: (url, service) =>
      service === "worker" ? pgBouncer.session(url) : pgBouncer.pooled(url),
    redisUrlOf: () => redis.url,
    settings: { PREPARED_STATEMENTS: "off", RATE_LIMITS: "off" },
  });
});
afterAll(async () => {
  await services?.stop();
  await redis?.remove();
  await pgBouncer?.stop();
  await database?.drop();
});

/** The connections of Postgres, and what each did last. */
const connections = () =>
  database.rows(`SELECT usename AS role, application_name AS application, query FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()`);

it("serves a user from login to logout", async () => {
  const user = await services.signUp();
  await services.useLinks(user, "de");
  await services.logOut(user);
}, 120_000);

it("creates, lists and deletes many links at once, with few connections", async () => {
  const user = await services.signUp();
  const links = Array.from({ length: 100 }, (_, n) => ({
    url: `https://www.amazon.com/dp/B0POOL${String(n).padStart(4, "0")}`,
  }));
  // A busy machine refuses some of them at first.
  const createAll = () =>
    vi.waitFor(async () => {
      const { status } = await user(createLinks.method, createLinks.path, { links });
      expect(status).toBe(200);
    }, WAIT);
  await Promise.all(Array.from({ length: 8 }, createAll));
  const list = await user(listLinks.method, listLinks.path);
  const listed = listLinks.replies[200].parse(await list.json());
  expect(listed.length).toBeGreaterThan(0);
  const opened = await Promise.all(listed.map(({ shortCode }) => services.open(shortCode)));
  expect(opened).toEqual(listed.map(({ originalUrl }) => originalUrl));
  const deleted = await Promise.all(listed.map(({ id }) => user("DELETE", `/api/links/${id}`)));
  expect(new Set(deleted.map(({ status }) => status))).toEqual(new Set([200]));
  expect(await database.rows("SELECT count(*)::int AS links FROM links")).toEqual([
    { links: 800 - listed.length },
  ]);
  const roles = (await connections()).map(({ role }) => role);
  for (const group of ["tapthru_api", "tapthru_redirect"]) {
    const count = roles.filter((role) => String(role).endsWith(group)).length;
    expect(count, group).toBeGreaterThan(0);
    expect(count, group).toBeLessThanOrEqual(POOL_SIZE);
  }
}, 120_000);

it("opens links that only Postgres has", async () => {
  const links = await database.rows(`
    INSERT INTO links (short_code, original_url, web_url, deep_link)
    SELECT 'only' || n, page, page, 'http://localhost/redirect?product_id=x'
    FROM generate_series(1, 100) n, LATERAL (SELECT 'https://www.amazon.de/dp/B0ZZ1Y2X3W?n=' || n AS page)
    RETURNING short_code AS code, web_url AS page`);
  // A busy redirect responds 503 at first.
  const opens = ({ code, page }: Record<string, unknown>) =>
    vi.waitFor(async () => expect(await services.open(String(code))).toBe(page), WAIT);
  await Promise.all(links.map(opens));
}, 120_000);

it("lets the worker's relay listen, on a connection of its own", async () => {
  const relays = (await connections()).filter(
    ({ application }) => application === "tapthru-worker-relay",
  );
  expect(relays.map(({ query }) => query)).toEqual(["LISTEN link_changes"]);
});

it("migrates an empty database with session pooling, also twice at once", async () => {
  const name = `${new URL(database.url).pathname.slice(1)}_empty`;
  await database.rows(`CREATE DATABASE ${name}`);
  const own = await startTestPgBouncer(SERVER_URL, name);
  const databaseUrl = own.session(withDatabase(SERVER_URL, name));
  const applied = await Promise.all([migrate({ databaseUrl }), migrate({ databaseUrl })]);
  expect(applied.map((names) => names.length).sort()).toEqual([0, expect.any(Number)]);
  await own.stop();
  await database.rows(`DROP DATABASE ${name} WITH (FORCE)`);
});

it("applies the timeout of the role, because the one of the client is ignored", async () => {
  const url = await database.urlAs("tapthru_redirect");
  await database.rows(`ALTER ROLE ${new URL(url).username} SET statement_timeout = '432ms'`);
  await withClient(pgBouncer.session(url), async (client) => {
    const { rows } = await client.query("SHOW statement_timeout");
    expect(rows[0].statement_timeout).toBe("432ms");
  });
});
