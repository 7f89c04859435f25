import { createTestLogger } from "@tapthru/core/platform/testing/test-logger";
import { waitForBlockedStatement } from "@tapthru/postgres/testing/blocked-statement";
import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { addLinks, NEVER, useDatabase } from "../testing/test-database.ts";
import { workNow } from "../testing/test-due.ts";
import { addUser, addWebhook } from "../testing/test-webhooks.ts";
import { purgeOldRows } from "./purge-old-rows.ts";

const { logger } = createTestLogger();
const MANY = 1_500;

const HASH = "sha256(n::text::bytea)";
const USER = "(SELECT id FROM users)";
const LINK = "(SELECT min(id) FROM links)";
const WEBHOOK = "(SELECT id FROM webhooks)";

/** A table with its time, ages of rows that are kept and of those that are not, and the other columns of row n. */
const TABLES = [
  ["link_changes.projected_at", "59 minutes", "61 minutes", "short_code, revision", "'link' || n, 2"],
  ["click_batches.applied_at", "23 hours", "25 hours", "id", "gen_random_uuid()"],
  ["idempotency_keys.created_at", "23 h", "25 h", "key_hash, request_hash, short_code", `${HASH}, '', 'link1'`],
  ["recent_creates.created_at", "9 min", "11 min", "visitor_key, address_hash, short_code", `${HASH}, '', 'link1'`],
  ["api_keys.expires_at", "29 d", "31 d", "user_id, name, key_hash, start, scopes", `${USER}, '', ${HASH}, '', '{a}'`],
  [
    "abuse_reports.last_reported_at",
    "89 d",
    "91 d",
    "short_code, reason, first_reported_at",
    "'link' || n, 'spam', 'epoch'",
  ],
  ["certificate_orders.ordered_at", "7 days", "9 days", "registered_domain", "'anna.example'"],
  ["invitations.expires_at", "-1 minute", "1 minute", "token_hash", HASH],
  ["shared_pages.ends_on", "1 day", "4 days", "user_id, link_id, name, token_hash", `${USER}, ${LINK}, '', ${HASH}`],
  ["failed_items.retry_at", "119 minutes", "121 minutes", "kind, key, error", "'kind', n, 'error'"],
  ['identity.verification."expiresAt"', "-1 minute", "1 minute", "id, identifier, value", "n, n, 'value'"],
  [
    "webhook_deliveries.created_at",
    "29 d",
    "31 d",
    "webhook_id, type, link_id, data",
    `${WEBHOOK}, 'link.created', n, '{}'`,
  ],
] as const;

const database = await useDatabase(
  "certificate_orders",
  "click_batches",
  "app_openings",
  "invitations",
  "identity.verification",
);
const { rows } = database;

beforeEach(async () => {
  await addWebhook(database, await addUser(database), { url: "https://t.example" });
  await rows("DELETE FROM link_changes");
  await addLinks(database, { name: "link", count: MANY + 2, withChange: false });
});

function add(column: string, [first, last]: [number, number], age: string | null) {
  const [, , , names, values] = TABLES.find(([name]) => name === column) ?? [];
  const [table, since] = divide(column);
  const insert = `INSERT INTO ${table} (${names}, ${since}) SELECT ${values}, now() - $3::interval`;
  return rows(`${insert} FROM generate_series($1::int, $2::int) n`, [first, last, age]);
}
function divide(column: string) {
  const at = column.lastIndexOf(".");
  return [column.slice(0, at), column.slice(at + 1)] as const;
}
async function count(table: string, condition = "true") {
  const [row] = await rows(`SELECT count(*)::int AS count FROM ${table} WHERE ${condition}`);
  return row?.count;
}

const app = { db: database.db, clicksKeptMonths: 2, auditLogDays: 40, logger };
const purge = (signal = NEVER) => workNow(app, purgeOldRows, signal);
function purgeAt(time: string) {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse(time) });
  onTestFinished(() => void vi.useRealTimers());
  return purge();
}

it.each(TABLES)("old rows are deleted in batches, even by two purges at once, and others kept: %s", async (...row) => {
  const [column, kept, old] = row;
  const [table, since] = divide(column);
  await add(column, [1, MANY], old);
  await add(column, [MANY + 1, MANY + 2], kept);
  await purge(AbortSignal.abort());
  expect(await count(table)).toBe(MANY + 2);
  await Promise.all([purge(), purge()]);
  await purge();
  expect(await count(table)).toBe(2);
  expect(await count(table, `${since} < now() - interval '${old}'`)).toBe(0);
});

it.each(["link_changes.projected_at", "api_keys.expires_at"])("keeps rows without %s", async (column) => {
  await add(column, [1, 1], null);
  await purge();
  expect(await count(divide(column)[0])).toBe(1);
});

it.each([
  ["recent_creates.created_at", "11 minutes"],
  ["abuse_reports.last_reported_at", "91 days"],
])("keeps a row that is repeated during the purge: %s", async (column, old) => {
  const [table, since] = divide(column);
  await add(column, [1, 1], old);
  const visitor = await database.connect();
  await visitor.query("BEGIN");
  await visitor.query(`UPDATE ${table} SET ${since} = now()`);
  const purging = purge();
  await waitForBlockedStatement(async (query) => (await visitor.query(query)).rows);
  await visitor.query("COMMIT");
  await purging;
  expect(await count(table)).toBe(1);
});

it("deletes the outcomes of months before the kept ones, and no others", async () => {
  await rows(`
    INSERT INTO app_openings (day, row_id, app, os, opened, stayed, unknown)
    SELECT day::date, 'x-ios', 'x', 'ios', 1, 0, 0
    FROM unnest(ARRAY['2026-08-31', '2026-09-01', '2026-11-22']) AS day
  `);
  await purgeAt("2026-11-22T12:00:00Z");
  expect(await rows("SELECT day::text FROM app_openings ORDER BY day")).toEqual([
    { day: "2026-09-01" },
    { day: "2026-11-22" },
  ]);
});

const clickMonths = (table: "clicks" | "user_clicks") =>
  rows(
    `SELECT array_agg(right(inhrelid::regclass::text, 7) ORDER BY 1) AS months FROM pg_inherits
     WHERE inhparent = '${table}'::regclass`,
  );

it("drops the months of clicks before the kept ones, and creates those of this month and the next", async () => {
  for (const month of ["2030-09", "2030-10", "2030-11"]) await rows(`SELECT create_click_partitions('${month}-01')`);
  await rows(
    `INSERT INTO clicks SELECT ${LINK}, day::date, '{}' FROM unnest('{2030-09-30,2030-10-01}'::text[]) AS day`,
  );
  await purgeAt("2030-12-31T23:00:00Z");
  const months = ["2030_10", "2030_11", "2030_12", "2031_01"];
  expect([await clickMonths("clicks"), await clickMonths("user_clicks")]).toEqual([[{ months }], [{ months }]]);
  expect(await rows("SELECT day::text FROM clicks")).toEqual([{ day: "2030-10-01" }]);
});

it.skipIf(process.env.FAKETIME)("drops a month of clicks later while a query reads it", async () => {
  await rows("SELECT create_click_partitions('2030-09-01')");
  const reader = await database.connect();
  await reader.query("BEGIN; SELECT FROM clicks_2030_09");
  const drop = () => purgeAt("2030-12-31T23:00:00Z");
  await drop();
  expect(await rows("SELECT key FROM failed_items")).toEqual([{ key: "months of clicks" }]);
  await reader.query("ROLLBACK");
  await rows("UPDATE failed_items SET retry_at = now()");
  await drop();
  expect(await rows("SELECT to_regclass('clicks_2030_09') AS name")).toEqual([{ name: null }]);
});

it("deletes old rows of the audit log, keeps the others, and deletes their addresses after 30 days", async () => {
  await rows("DELETE FROM audit_log");
  await rows(`
    INSERT INTO audit_log (at, actor, action, object_id, object, address_hash)
    SELECT now() - day * interval '1 day', 'visitor', 'link.created', day, '', decode(repeat('00', 16), 'hex')
    FROM unnest(ARRAY[41, 39, 31, 29]) AS day, generate_series(1, ${MANY})
  `);
  await purge();
  expect(
    await rows(`
      SELECT object_id AS day, count(*)::int, count(address_hash)::int AS "withAddress"
      FROM audit_log GROUP BY object_id ORDER BY object_id
    `),
  ).toEqual([
    { day: "29", count: MANY, withAddress: MANY },
    { day: "31", count: MANY, withAddress: 0 },
    { day: "39", count: MANY, withAddress: 0 },
  ]);
});

it("keeps the 50,000 latest events of a webhook", async () => {
  await rows(`
    INSERT INTO webhook_deliveries (webhook_id, type, link_id, data, created_at)
    SELECT webhooks.id, 'link.created', n, '{}', now() - interval '5 minutes' + n * interval '1 ms'
    FROM webhooks, generate_series(1, 50002) n
  `);
  await purge();
  expect(await rows("SELECT min(link_id)::int AS first, count(*)::int FROM webhook_deliveries")).toEqual([
    { first: 3, count: 50_000 },
  ]);
});
