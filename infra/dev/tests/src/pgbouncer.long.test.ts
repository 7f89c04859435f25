import { createAccount, EMULATOR_START_MS } from "@tapthru/api/testing/test-accounts";
import { signUpUser } from "@tapthru/api/testing/test-user";
import { migrate } from "@tapthru/postgres/migrate";
import { createLinks } from "@tapthru/proto/http/create-links";
import { listLinks } from "@tapthru/proto/http/links";
import { createTestDatabase, type TestDatabase } from "@tapthru/redirect/testing/test-service";
import {
  type ControlledRedis,
  createControlledRedis,
} from "@tapthru/runtime/testing/controlled-redis";
import { findOnPath } from "@tapthru/stack/programs/on-path";
import { skipWithout } from "@tapthru/stack/testing/skip-tests";
import { startTestPgBouncer, type TestPgBouncer } from "@tapthru/stack/testing/test-pgbouncer";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startThreeServices, type ThreeServices } from "./testing/three-services.ts";

/** `default_pool_size` of the tests' PgBouncer. */
const POOL_SIZE = 3;

const isInstalled = findOnPath("pgbouncer") !== null;
skipWithout("pgbouncer");

let database: TestDatabase;
let pgBouncer: TestPgBouncer;
let redis: ControlledRedis;
let services: ThreeServices;

beforeAll(async () => {
  if (!isInstalled) return;
  await createAccount();
  database = await createTestDatabase();
  const name = new URL(database.url).pathname.slice(1);
  pgBouncer = await startTestPgBouncer(process.env.TEST_DATABASE_URL ?? "", name);
  redis = await createControlledRedis();
  await redis.start();
  services = await startThreeServices({
    database,
    databaseUrlOf: (url, service) =>
      service === "worker" ? pgBouncer.session(url) : pgBouncer.pooled(url),
    redisUrlOf: () => redis.url,
    settings: { PREPARED_STATEMENTS: "off" },
  });
}, EMULATOR_START_MS + 120_000);
afterAll(async () => {
  await services?.stop();
  await redis?.remove();
  await pgBouncer?.stop();
  await database?.drop();
});

/** The connections of Postgres, and what each did last. */
async function connections(): Promise<{ role: string; application: string; query: string }[]> {
  const { rows } = await database.client.query(
    `SELECT usename AS role, application_name AS application, query FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid()`,
  );
  return rows;
}

it("serves a user from login to logout", async () => {
  const user = await signUpUser(services.api);
  await services.useLinks(user, "de");
  await services.logOut(user);
}, 120_000);

it("creates, lists and deletes many links at once, with few connections", async () => {
  const { browser } = await signUpUser(services.api);
  const links = Array.from({ length: 100 }, (_, n) => ({
    url: `https://www.amazon.com/dp/B0POOL${String(n).padStart(4, "0")}`,
  }));
  const { api, open } = services;
  const bulks = Array.from({ length: 8 }, () => api.post(createLinks.path, { links }, browser));
  expect((await Promise.all(bulks)).map(({ status }) => status)).toEqual(bulks.map(() => 200));
  const list = async () =>
    listLinks.replies[200].parse(await (await api.request("GET", "/api/links", browser)).json());
  const listed = await list();
  expect(listed.length).toBeGreaterThan(0);
  const opened = await Promise.all(listed.map(({ shortCode }) => open(shortCode)));
  expect(opened).toEqual(listed.map(({ originalUrl }) => originalUrl));
  const deleted = await Promise.all(
    listed.map(({ id }) => api.request("DELETE", `/api/links/${id}`, browser)),
  );
  expect(new Set(deleted.map(({ status }) => status))).toEqual(new Set([200]));
  const { rows } = await database.client.query("SELECT count(*)::int AS links FROM links");
  expect(rows).toEqual([{ links: 800 - listed.length }]);
  const roles = (await connections()).map(({ role }) => role);
  for (const group of ["tapthru_api", "tapthru_redirect"]) {
    const count = roles.filter((role) => role.endsWith(group)).length;
    expect(count, group).toBeGreaterThan(0);
    expect(count, group).toBeLessThanOrEqual(POOL_SIZE);
  }
}, 120_000);

it("lets the worker's relay listen, on a connection of its own", async () => {
  const relays = (await connections()).filter(
    ({ application }) => application === "tapthru-worker-relay",
  );
  expect(relays.map(({ query }) => query)).toEqual(["LISTEN link_changes"]);
});

it("migrates an empty database with session pooling, also twice at once", async () => {
  const name = `${new URL(database.url).pathname.slice(1)}_empty`;
  const serverUrl = process.env.TEST_DATABASE_URL ?? "";
  await database.client.query(`CREATE DATABASE ${name}`);
  const own = await startTestPgBouncer(serverUrl, name);
  const url = new URL(serverUrl);
  url.pathname = name;
  const databaseUrl = own.session(url.href);
  const applied = await Promise.all([migrate({ databaseUrl }), migrate({ databaseUrl })]);
  expect(applied.map((names) => names.length).sort()).toEqual([0, expect.any(Number)]);
  await own.stop();
  await database.client.query(`DROP DATABASE ${name} WITH (FORCE)`);
});
