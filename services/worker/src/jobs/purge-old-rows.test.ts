import { createTestLogger } from "@tapthru/core/platform/testing/test-logger";
import { waitForBlockedStatement } from "@tapthru/postgres/testing/blocked-statement";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { addLinks, createTestDatabase, makeFail, type TestDatabase } from "../testing/test-database.ts";
import { addUser, addWebhook } from "../testing/test-webhooks.ts";
import { deleteExcessDeliveries, purgeOldRows } from "./purge-old-rows.ts";

const { logger } = createTestLogger();
const notAborted = new AbortController().signal;
/** More than one batch. */
const MANY = 1_500;

/** Each statement adds the rows $1 to $2 with the age $3. */
const TABLES = [
  {
    table: "link_changes",
    since: "projected_at",
    kept: "59 minutes",
    old: "61 minutes",
    add: `INSERT INTO link_changes (short_code, revision, created_at, projected_at)
      SELECT 'link' || n, 2, now() - interval '2 days', now() - $3::interval`,
  },
  {
    table: "click_batches",
    since: "applied_at",
    kept: "23 hours",
    old: "25 hours",
    add: "INSERT INTO click_batches SELECT gen_random_uuid(), now() - $3::interval",
  },
  {
    table: "click_link_changes",
    since: "changed_at",
    kept: "23 hours",
    old: "25 hours",
    add: `INSERT INTO click_link_changes (link_id, from_user_id, changed_at)
      SELECT n, 1, now() - $3::interval`,
  },
  {
    table: "idempotency_keys",
    since: "created_at",
    kept: "23 hours",
    old: "25 hours",
    add: `INSERT INTO idempotency_keys (key_hash, request_hash, short_code, created_at)
      SELECT sha256(n::text::bytea), '', 'link1', now() - $3::interval`,
  },
  {
    table: "recent_creates",
    since: "created_at",
    kept: "9 minutes",
    old: "11 minutes",
    add: `INSERT INTO recent_creates (visitor_key, address_hash, short_code, created_at)
      SELECT sha256(n::text::bytea), '', 'link1', now() - $3::interval`,
  },
  {
    table: "api_keys",
    since: "expires_at",
    kept: "29 days",
    old: "31 days",
    add: `INSERT INTO api_keys (user_id, name, key_hash, start, scopes, expires_at)
      SELECT (SELECT id FROM users), '', sha256(n::text::bytea), '', '{links:read}', now() - $3::interval`,
  },
  {
    table: "reports",
    since: "last_reported_at",
    kept: "89 days",
    old: "91 days",
    add: `INSERT INTO reports (short_code, reason, first_reported_at, last_reported_at)
      SELECT 'link' || n, 'spam', now() - interval '1 year', now() - $3::interval`,
  },
  {
    table: "certificate_orders",
    since: "ordered_at",
    kept: "7 days",
    old: "9 days",
    add: `INSERT INTO certificate_orders (registered_domain, ordered_at)
      SELECT 'anna.example', now() - $3::interval`,
  },
  {
    table: "invitations",
    since: "expires_at",
    kept: "-1 minute",
    old: "1 minute",
    add: `INSERT INTO invitations (token_hash, expires_at)
      SELECT sha256(n::text::bytea), now() - $3::interval`,
  },
  {
    table: "failed_items",
    since: "retry_at",
    kept: "119 minutes",
    old: "121 minutes",
    add: `INSERT INTO failed_items (kind, key, error, retry_at)
      SELECT 'kind', n, 'error', now() - $3::interval`,
  },
  {
    table: "identity.verification",
    since: '"expiresAt"',
    kept: "-1 minute",
    old: "1 minute",
    add: `INSERT INTO identity.verification (id, identifier, value, "expiresAt")
      SELECT n, n, 'value', now() - $3::interval`,
  },
  {
    table: "webhook_deliveries",
    since: "created_at",
    kept: "29 days",
    old: "31 days",
    add: `INSERT INTO webhook_deliveries (webhook_id, type, link_id, data, created_at)
      SELECT (SELECT id FROM webhooks), 'link.created', n, '{}', now() - $3::interval`,
  },
] as const;
type Table = (typeof TABLES)[number];

const tableOf = (name: Table["table"]) => TABLES.find(({ table }) => table === name) as Table;

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.empty();
  await database.rows(
    "TRUNCATE certificate_orders, click_batches, click_link_changes, app_openings, invitations, identity.verification",
  );
  await addWebhook(database, await addUser(database), { url: "https://t.example" });
  await addLinks(database, { name: "link", count: MANY + 2, withChange: false });
});

const add = ({ add }: Table, [first, last]: [number, number], age: string | null) =>
  database.rows(`${add} FROM generate_series($1::int, $2::int) n`, [first, last, age]);
const count = async ({ table }: { table: string }, condition = "true") => {
  const [row] = await database.rows(`SELECT count(*)::int AS count FROM ${table} WHERE ${condition}`);
  return row?.count;
};

const purge = (signal = notAborted, now?: number) =>
  purgeOldRows(
    {
      db: database.db,
      clickRetention: { dailyDays: 30, keptMonths: 2 },
      auditLogDays: 40,
      clickHouse: null,
      logger,
    },
    {},
    { signal },
    now,
  );

describe.each(TABLES)("old rows of $table", (table) => {
  it("are deleted in batches, even if two purges run at once, and others are kept", async () => {
    await add(table, [1, MANY], table.old);
    await add(table, [MANY + 1, MANY + 2], table.kept);
    await Promise.all([purge(), purge()]);
    await purge();
    expect(await count(table)).toBe(2);
    expect(await count(table, `${table.since} < now() - interval '${table.old}'`)).toBe(0);
  });

  it("are kept if the purge is aborted", async () => {
    await add(table, [1, 1], table.old);
    await purge(AbortSignal.abort());
    expect(await count(table)).toBe(1);
  });
});

it.each(["link_changes", "api_keys"] as const)("keeps rows of %s without a time", async (name) => {
  await add(tableOf(name), [1, 1], null);
  await purge();
  expect(await count(tableOf(name))).toBe(1);
});

it.each(["recent_creates", "reports"] as const)("keeps a row of %s that is repeated during the purge", async (name) => {
  const table = tableOf(name);
  await add(table, [1, 1], table.old);
  const visitor = await database.connect();
  await visitor.query("BEGIN");
  await visitor.query(`UPDATE ${table.table} SET ${table.since} = now()`);
  const purging = purge();
  await waitForBlockedStatement(async (query) => (await visitor.query(query)).rows);
  await visitor.query("COMMIT");
  await purging;
  expect(await count(table)).toBe(1);
});

it("deletes the outcomes of months before the kept ones, and no others", async () => {
  await database.rows(`
    INSERT INTO app_openings (day, row_id, app, os, opened, stayed, unknown)
    SELECT day::date, 'x-ios', 'x', 'ios', 1, 0, 0
    FROM unnest(ARRAY['2026-08-31', '2026-09-01', '2026-11-22']) AS day
  `);
  await purge(notAborted, Date.parse("2026-11-22T12:00:00Z"));
  expect(await database.rows("SELECT day::text FROM app_openings ORDER BY day")).toEqual([
    { day: "2026-09-01" },
    { day: "2026-11-22" },
  ]);
});

it("keeps changes of links that ClickHouse follows", async () => {
  const table = tableOf("click_link_changes");
  await add(table, [1, 1], table.old);
  const retention = { clickRetention: { dailyDays: 30, keptMonths: 2 }, auditLogDays: 40 };
  const deps = { db: database.db, ...retention, clickHouse: {}, logger };
  await purgeOldRows(deps, {}, { signal: notAborted });
  expect(await count(table)).toBe(1);
});

it("deletes old rows of the audit log, keeps the others, and deletes their addresses after 30 days", async () => {
  await database.rows("DELETE FROM audit_log");
  await database.rows(`
    INSERT INTO audit_log (at, actor, action, object_id, object, address_hash)
    SELECT now() - day * interval '1 day', 'visitor', 'link.created', day, '', decode(repeat('00', 16), 'hex')
    FROM unnest(ARRAY[41, 39, 31, 29]) AS day, generate_series(1, ${MANY})
  `);
  await purge();
  expect(
    await database.rows(`
      SELECT object_id AS day, count(*)::int, count(address_hash)::int AS "withAddress"
      FROM audit_log GROUP BY object_id ORDER BY object_id
    `),
  ).toEqual([
    { day: "29", count: MANY, withAddress: MANY },
    { day: "31", count: MANY, withAddress: 0 },
    { day: "39", count: MANY, withAddress: 0 },
  ]);
});

it("keeps the latest events of a webhook with too many", async () => {
  await database.rows(`
    INSERT INTO webhook_deliveries (webhook_id, type, link_id, data, created_at)
    SELECT webhooks.id, 'link.created', n, '{}', now() - interval '5 hours' + n * interval '1 hour'
    FROM webhooks, generate_series(1, 5) n
  `);
  await deleteExcessDeliveries({ db: database.db, logger }, notAborted, 3);
  expect(await database.rows("SELECT link_id::int AS id FROM webhook_deliveries ORDER BY link_id")).toEqual([
    { id: 3 },
    { id: 4 },
    { id: 5 },
  ]);
});

it("does not count the events of a webhook without new ones", async () => {
  await database.rows(`
    INSERT INTO webhook_deliveries (webhook_id, type, link_id, data, created_at)
    SELECT webhooks.id, 'link.created', n, '{}', now() - interval '2 hours' FROM webhooks, generate_series(1, 5) n
  `);
  await deleteExcessDeliveries({ db: database.db, logger }, notAborted, 3);
  expect(await database.rows("SELECT FROM webhook_deliveries")).toHaveLength(5);
});

it("a webhook whose events cannot be deleted does not hold up others", async () => {
  const other = await addUser(database);
  await addWebhook(database, other, { url: "https://t.example" });
  await database.rows(`
    INSERT INTO webhook_deliveries (webhook_id, type, link_id, data)
    SELECT webhooks.id, 'link.created', n, '{}' FROM webhooks, generate_series(1, 5) n
  `);
  const [first] = await database.rows("SELECT min(id) AS id FROM webhooks");
  await makeFail(database, "webhook_deliveries", { webhook_id: first?.id });
  await deleteExcessDeliveries({ db: database.db, logger }, notAborted, 3);
  expect(
    await database.rows("SELECT count(*)::int FROM webhook_deliveries GROUP BY webhook_id ORDER BY webhook_id"),
  ).toEqual([{ count: 5 }, { count: 3 }]);
});

it("names a table whose rows cannot be deleted, and deletes those of the others", async () => {
  const [first, second] = [tableOf("link_changes"), tableOf("reports")];
  for (const table of [first, second]) await add(table, [1, 1], table.old);
  await database.rows("REVOKE DELETE ON link_changes FROM tapthru_worker");
  try {
    await purge();
  } finally {
    await database.rows("GRANT DELETE ON link_changes TO tapthru_worker");
  }
  expect(await count(first)).toBe(1);
  expect(await count(second)).toBe(0);
  expect(await database.rows("SELECT kind, key FROM failed_items")).toEqual([
    { kind: "purge-old-rows", key: "link_changes" },
  ]);
});
