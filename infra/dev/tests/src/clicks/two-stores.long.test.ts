import { randomUUID } from "node:crypto";
import { type ClickRange, clickRange } from "@tapthru/core/clicks/click-range";
import type { ClickScope, ClickReader as Reader } from "@tapthru/core/clicks/click-reader";
import { createClickHouseReader } from "@tapthru/core/clicks/clickhouse/clickhouse-reader";
import { createPostgresClickReader as createPostgresReader } from "@tapthru/core/clicks/postgres-reader";
import { type ClickHouse, createClickHouse } from "@tapthru/core/platform/clickhouse/clickhouse";
import { createTestLogger } from "@tapthru/core/platform/testing/test-logger";
import { CLICK_BREAKDOWNS, CLICK_INTERVALS, type ClickQuery } from "@tapthru/proto/clicks";
import type { ClickBatch } from "@tapthru/proto/clicks/batch";
import { firstQuarterOf, QUARTERS_PER_DAY } from "@tapthru/proto/clicks/quarters";
import { findOnPath } from "@tapthru/stack/programs/on-path";
import { skipWithout } from "@tapthru/stack/testing/skip-tests";
import { startTestClickHouse, type TestClickHouse } from "@tapthru/stack/testing/test-clickhouse";
import {
  createPostgresClickWriter as createPostgresWriter,
  type ClickWriter as Writer,
} from "@tapthru/worker/clicks/apply-batches";
import { createClickHouseWriter } from "@tapthru/worker/clicks/clickhouse/clickhouse-writer";
import { moveClicks } from "@tapthru/worker/jobs/roll-up-clicks/move-clicks";
import { rollUpClicks } from "@tapthru/worker/jobs/roll-up-clicks/roll-up-clicks";
import { createTestDatabase, type TestDatabase } from "@tapthru/worker/testing/test-database";
import { sql } from "slonik";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import * as z from "zod/mini";
import { generatedBatches } from "./generated-batches.ts";

const TIME_ZONES = ["UTC", "Asia/Kolkata", "Asia/Kathmandu", "America/St_Johns", "Pacific/Auckland"];
const DATES = [
  { from: "2026-11-01", to: "2026-11-20" },
  { from: "2026-11-05", to: "2026-11-05" },
  { from: "2026-10-20T10:20:00Z", to: "2026-11-10T07:35:00Z" },
];
/** Hundreds of reports. */
const TEST_MS = 300_000;
const NOVEMBER = { from: "2026-10-20T10:20:00Z", to: "2026-11-20" };
const notAborted = new AbortController().signal;
const NOW = Date.parse("2026-11-21T12:00:00Z");

/** The same links are in both; each has the batches that its own store applied. */
let databases: { postgres: TestDatabase; clickHouse: TestDatabase };
let server: TestClickHouse;
let clickHouse: ClickHouse;
let writers: { postgres: Writer; clickHouse: Writer };
let readers: { postgres: Reader; clickHouse: Reader };

const codes = Array.from({ length: 12 }, (_, i) => `ks${String(i).padStart(5, "2")}`);

skipWithout("chdb-python");

describe("the same batches in Postgres and in ClickHouse", { timeout: TEST_MS }, () => {
  beforeAll(async () => {
    // Hooks run although the tests are skipped.
    if (findOnPath("chdb-python") === null) return;
    databases = { postgres: await createTestDatabase(), clickHouse: await createTestDatabase() };
    server = await startTestClickHouse();
    const { logger } = createTestLogger();
    clickHouse = createClickHouse({ url: `${server.url}/default`, applicationName: "test", timeoutMs: 60_000, logger });
    writers = { postgres: createPostgresWriter(databases.postgres.db), clickHouse: newClickHouseWriter() };
    readers = {
      postgres: createPostgresReader(databases.postgres.db),
      clickHouse: createClickHouseReader({ db: databases.clickHouse.db, clickHouse }),
    };
    await addLinksOfTwoUsers();
  });
  afterAll(async () => {
    await clickHouse?.stop?.();
    await Promise.all([databases?.postgres.drop(), databases?.clickHouse.drop(), server?.stop()]);
  });

  it("give the same reports of links and owners", async () => {
    await applyToBoth(stream(1, 60));
    await expectSameReports(allRanges());
  });

  it("give the same after batches arrived again, also in a worker that was restarted", async () => {
    await applyToBoth(stream(1, 60));
    await restartClickHouseWriter();
    await applyToBoth([...stream(1, 20), ...stream(2, 16), ...stream(2, 16)]);
    await expectSameReports(rangeOf(NOVEMBER));
  });

  it("give the same after history was moved from Postgres, rolled up or not", async () => {
    const history = generatedBatches({ seed: 9, batches: 30, shortCodes: codes, from: "2026-09-01", days: 40 });
    for (const { db } of [databases.postgres, databases.clickHouse]) {
      await createPostgresWriter(db).apply(history);
      await rollUpClicks(
        { db, clickRetention: { dailyDays: 30, keptMonths: 25 }, clickHouse: null, logger: createTestLogger().logger },
        {},
        { signal: notAborted },
        NOW,
      );
    }
    await moveClicks({ db: databases.clickHouse.db, clickHouse, logger: createTestLogger().logger }, notAborted);
    const left = await databases.clickHouse.rows("SELECT FROM clicks UNION ALL SELECT FROM monthly_clicks");
    expect(left).toEqual([]);
    await expectSameReports(rangeOf({ interval: "month", from: "2026-08-25", to: "2026-11-20" }), true);
  });

  it("give the same after a batch with thousands of days of links", async () => {
    const first = firstQuarterOf("2025-12-01");
    const links = codes.flatMap((shortCode) =>
      Array.from({ length: 300 }, (_, day) => ({
        shortCode,
        quarter: first + day * QUARTERS_PER_DAY,
        counts: { p: 1, "r:many.example": 1 },
        visitors: [],
      })),
    );
    await applyToBoth([{ id: randomUUID(), links, outcomes: [] }]);
    const year = { from: "2025-12-01", to: "2026-11-20" };
    await expectSameReports(rangeOf({ interval: "month", ...year }), true);
  });

  it("give the same after links were claimed", async () => {
    await inBoth(`UPDATE links SET user_id = 2, claim_hash = NULL, expires_at = NULL
    WHERE short_code IN ('${codes[10]}', '${codes[11]}')`);
    await writers.clickHouse.followLinks();
    await applyToBoth(stream(3, 8));
    await expectSameReports(rangeOf(NOVEMBER), true);
  });

  it("give the same after a link was deleted", async () => {
    await inBoth(`DELETE FROM links WHERE short_code = '${codes[0]}'`);
    await applyToBoth(stream(4, 8));
    await writers.clickHouse.followLinks();
    await expectSameReports(rangeOf(NOVEMBER), true);
  });

  it("have no clicks of a deleted account", async () => {
    await inBoth("DELETE FROM links WHERE user_id = 1");
    await writers.clickHouse.followLinks();
    await expectSameReports(rangeOf(NOVEMBER), true);
    await clickHouse.command("OPTIMIZE TABLE clicks FINAL");
    await clickHouse.command("OPTIMIZE TABLE click_visitors FINAL");
    const left = "SELECT DISTINCT user_id AS id FROM clicks UNION DISTINCT SELECT user_id FROM click_visitors";
    expect(await clickHouse.rows(z.object({ id: z.int() }), left, {})).toEqual([{ id: 2 }]);
  });
});

function newClickHouseWriter(): Writer {
  return createClickHouseWriter({ db: databases.clickHouse.db, clickHouse, keptMonths: 25 });
}

/** The memory of the worker is empty, and Postgres does not know which batches were applied: only ClickHouse's tokens are left. */
async function restartClickHouseWriter(): Promise<void> {
  await databases.clickHouse.rows("TRUNCATE click_batches");
  writers.clickHouse = newClickHouseWriter();
}

async function inBoth(statement: string): Promise<void> {
  for (const { rows } of [databases.postgres, databases.clickHouse]) await rows(statement);
}

/** Users 1 and 2 have five links each, two links have no owner. */
async function addLinksOfTwoUsers(): Promise<void> {
  await inBoth(`
    INSERT INTO users (firebase_uid, email, username)
    SELECT 'uid' || n, n || '@example.com', 'user' || n FROM generate_series(1, 2) n`);
  for (const [index, code] of codes.entries()) {
    const owner = [1, 2][Math.floor(index / 5)];
    const ownership = owner ? `${owner}, NULL, NULL` : "NULL, sha256('a'), now() + interval '7 days'";
    await inBoth(`
      INSERT INTO links (short_code, original_url, web_url, deep_link, user_id, claim_hash, expires_at)
      VALUES ('${code}', 'amazon.com/dp/B08N5WRWNW', 'https://amazon.com/dp/B08N5WRWNW',
        'https://t.example/redirect?product_id=B08N5WRWNW', ${ownership})`);
  }
}

function stream(seed: number, batches: number): ClickBatch[] {
  return generatedBatches({ seed, batches, shortCodes: codes, from: "2026-10-25", days: 27 });
}

/** Repeats as the worker does, also on a machine that is too busy for the time limits. */
async function untilDone(apply: () => Promise<number>): Promise<void> {
  await vi.waitFor(apply, { timeout: 100_000 });
}

async function applyToBoth(batches: readonly ClickBatch[]): Promise<void> {
  for (let at = 0; at < batches.length; at += 20) {
    const some = batches.slice(at, at + 20);
    await untilDone(() => writers.postgres.apply(some));
    await untilDone(() => writers.clickHouse.apply(some));
  }
}

/**
 * Reports by every dimension of two owners and two links, the links' people, and the export of an account. In ClickHouse the clicks
 * of an owner are those of their present links: with `ofLinks`, only what is known of each link is compared.
 */
async function expectSameReports(ranges: readonly ClickRange[], ofLinks = false): Promise<void> {
  const scopes = await ownScopes();
  const linkIds = scopes.at(-1)?.linkIds ?? [];
  for (const range of ranges) {
    const reports = scopes
      .filter((scope) => scope.linkIds !== null || !ofLinks)
      .flatMap((scope) => [undefined, ...CLICK_BREAKDOWNS].map((by) => ({ scope, by })))
      // The bounds of an owner are not those of their links.
      .filter(({ scope, by }) => scope.linkIds !== null || (by !== "referrer" && by !== "page"));
    await Promise.all([
      ...reports.map(({ scope, by }) =>
        expectSame(async (reader) => ({ scope, by, ...(await reader.count(scope, range, by)) })),
      ),
      expectSame(async (reader) => {
        const ofOwner = await reader.count({ userId: 1, linkIds: null }, range, "link");
        return ofOwner.breakdown;
      }),
      expectSame(async (reader) =>
        databases.postgres.db.any(sql.unsafe`
          SELECT link_id, people FROM (${await reader.people(1, range)}) AS counted ORDER BY link_id
        `),
      ),
      expectSame(async (reader) => nonZero(await reader.peopleByPeriod(1, linkIds, range))),
    ]);
  }
  await expectSame((reader) => reader.export(1, linkIds));
}

async function expectSame(read: (reader: Reader) => Promise<unknown>): Promise<void> {
  const [expected, found] = await Promise.all([read(readers.postgres), read(readers.clickHouse)]);
  expect(found).toEqual(expected);
}

/** Links without people may be absent. */
function nonZero(people: ReadonlyMap<number, number[]>): Map<number, number[]> {
  return new Map([...people].filter(([, counts]) => counts.some((each) => each > 0)));
}

/** Each interval in each time zone, with different dates. */
function allRanges(): ClickRange[] {
  const zones = TIME_ZONES.flatMap((tz) => CLICK_INTERVALS.map((interval) => ({ tz, interval })));
  return zones.flatMap((zone, index) => rangeOf({ ...zone, ...DATES[index % DATES.length] }));
}

function rangeOf(query: Partial<ClickQuery>): ClickRange[] {
  const range = clickRange({ tz: "Asia/Kathmandu", interval: "day", ...query }, NOW);
  return range === null ? [] : [range];
}

async function ownScopes(): Promise<ClickScope[]> {
  const links = await databases.postgres.rows("SELECT id FROM links WHERE user_id = 1 ORDER BY id LIMIT 2");
  const ids = links.map(({ id }) => Number(id));
  return [
    { userId: 1, linkIds: null },
    { userId: 2, linkIds: null },
    ...[...ids.map((id) => [id]), ids].map((linkIds) => ({ userId: 1, linkIds })),
  ];
}
