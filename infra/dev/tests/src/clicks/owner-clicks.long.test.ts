import { randomUUID } from "node:crypto";
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from "@tapthru/postgres/testing/throwaway-database";
import { withClient } from "@tapthru/postgres/with-client";
import type { LinkClicks } from "@tapthru/proto/clicks/batch";
import { firstQuarterOf } from "@tapthru/proto/clicks/quarters";
import type { ClickBreakdown } from "@tapthru/proto/http/clicks";
import { type ClickRange, clickRange } from "@tapthru/runtime/clicks/click-range";
import type { ClickStore } from "@tapthru/runtime/clicks/click-store";
import { createPostgresClickStore } from "@tapthru/runtime/clicks/postgres-store";
import { createLogger } from "@tapthru/runtime/logger";
import { createPostgres, type Postgres } from "@tapthru/runtime/postgres/postgres";
import { applyBatches } from "@tapthru/worker/clicks/apply-batches";
import { rollUpClicks } from "@tapthru/worker/jobs/roll-up-clicks/handler";
import { sumOwnerClicks } from "@tapthru/worker/jobs/sum-owner-clicks/handler";
import { sql } from "slonik";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

// The worker adds up the days of users with many links; the reports of the api have to be those of their links.

const OWNER = 1;
const LINKS = 102;
const DAYS = ["18", "19", "20", "21", "22", "23"].map((day) => `2026-11-${day}`);
const NOW = Date.parse("2026-11-23T12:00:00Z");
const RANGE = { from: "2026-11-19", to: "2026-11-23", interval: "day" } as const;

const logger = createLogger({ service: "test", level: "fatal" });

let database: ThrowawayDatabase;
let worker: Postgres;
let api: Postgres;
let store: ClickStore;

beforeAll(async () => {
  database = await createThrowawayDatabase();
  worker = await connectAs("tapthru_worker");
  api = await connectAs("tapthru_api");
  store = createPostgresClickStore(api);
  await run(`
    INSERT INTO users (id, username, email, firebase_uid) VALUES (${OWNER}, 'ann', 'ann@x', 'uid');
    INSERT INTO links (short_code, original_url, web_url, deep_link, user_id)
    SELECT 'link' || n, 'https://www.amazon.de/dp/B0ZZ1Y2X3W', 'https://www.amazon.de/dp/B0ZZ1Y2X3W',
      'http://t.example/redirect?product_id=x', CASE WHEN n <= ${LINKS} THEN ${OWNER} END
    FROM generate_series(1, ${LINKS + 1}) n
  `);
  await addClicks(LINKS + 1);
  await addUp();
});
afterAll(async () => {
  await Promise.all([worker?.stop?.(), api?.stop?.()]);
  await database?.drop();
});

async function connectAs(role: "tapthru_worker" | "tapthru_api"): Promise<Postgres> {
  return createPostgres({
    url: await database.urlAs(role),
    applicationName: "test",
    maxConnections: 4,
    statementTimeoutMs: 20_000,
    acquireTimeoutMs: 20_000,
    logger,
  });
}

const run = (statement: string) => database.rows(statement);

/** Different for each link, day and kind; the same in each run. */
function clicksOf(link: number): LinkClicks[] {
  return DAYS.flatMap((day, d) =>
    [0, 1, 2].map((n) => {
      const people = ((link * 7 + d * 3 + n) % 5) + 1;
      return {
        shortCode: `link${link}`,
        quarter: firstQuarterOf(day) + ((link * 13 + d * 5 + n * 29) % 96),
        counts: {
          p: people,
          [`c:${["DE", "NP", "US"][(link + n) % 3]}`]: people,
          [`d:${["ios", "android", "desktop"][(link + d) % 3]}`]: people,
          [`r:shop${link % 70}.example`]: people,
          "o:page": people,
          ...(n === 0 && { "o:opened": 1, v: 2, b: link }),
          ...(n === 1 && { "o:stayed": 1, f: 3 }),
        },
        visitors: Array.from({ length: people }, (_, i) => (((link + i) % 40) * 7 + d) * 64 + 1),
      };
    }),
  );
}

async function addClicks(links: number): Promise<void> {
  const clicks = Array.from({ length: links }, (_, i) => clicksOf(i + 1)).flat();
  await applyBatches(worker, [{ id: randomUUID(), links: clicks }]);
}

const addUp = () => sumOwnerClicks({ db: worker, logger }, new AbortController().signal, NOW);

/** Of days that are added up. */
async function ownerDays(): Promise<unknown[]> {
  const rows = await run(
    "SELECT day::text FROM owner_clicks WHERE counts IS NOT NULL AND person <> '{}' ORDER BY day",
  );
  return rows.map(({ day }) => day);
}

const BREAKDOWNS: ClickBreakdown[] = ["country", "device", "store", "referrer", "outcome", "link"];

async function reports(tz: string, breakdowns = BREAKDOWNS) {
  const range = rangeIn(tz);
  const scope = { userId: OWNER, link: null };
  return {
    counts: await Promise.all(breakdowns.map((by) => store.count(scope, range, by))),
    people: await api.any(sql.unsafe`
      SELECT link_id, people FROM (${await store.people(OWNER, range)}) AS counted ORDER BY link_id
    `),
  };
}

function rangeIn(tz: string): ClickRange {
  const range = clickRange({ ...RANGE, tz }, NOW);
  if (range === null) throw new Error("The range is empty");
  return range;
}

/** What the reports are without the rows of the owner. */
async function fromLinks<T>(read: () => Promise<T>): Promise<T> {
  await run("CREATE TABLE kept AS TABLE owner_clicks; TRUNCATE owner_clicks");
  try {
    return await read();
  } finally {
    await run("INSERT INTO owner_clicks TABLE kept; DROP TABLE kept");
  }
}

async function expectEqualReports(tz = "Asia/Kathmandu"): Promise<void> {
  const found = await reports(tz);
  expect(found).toEqual(await fromLinks(() => reports(tz)));
}

/** One of each set of zones with the same days in the range. */
function differentZones(): string[] {
  const zones = ["UTC", ...Intl.supportedValuesOf("timeZone")];
  return [...new Map(zones.map((tz) => [rangeIn(tz).starts.join(), tz])).values()];
}

describe("the clicks of all links of a user with many links", () => {
  it("are added up for days that ended", async () => {
    expect(await ownerDays()).toEqual(DAYS.slice(0, -1));
  });

  it("are the sum of those of the links, in each time zone", async () => {
    const zones = differentZones();
    expect(zones.length).toBeGreaterThan(30);
    const read = () => Promise.all(zones.map((tz) => reports(tz, ["link"])));
    expect(await read()).toEqual(await fromLinks(read));
  }, 120_000);

  it("are the sum for each breakdown", () => expectEqualReports());

  it("contain clicks that arrive late, before and after the day is added up again", async () => {
    const people = async () => (await reports("UTC")).counts[0]?.totals.person ?? 0;
    const before = await people();
    const late = { shortCode: "link3", quarter: firstQuarterOf("2026-11-20"), counts: { p: 5 } };
    await applyBatches(worker, [{ id: randomUUID(), links: [{ ...late, visitors: [] }] }]);
    expect(await people()).toBe(before + 5);
    expect(await ownerDays()).not.toContain("2026-11-20");
    await addUp();
    expect(await people()).toBe(before + 5);
    expect(await ownerDays()).toContain("2026-11-20");
    await expectEqualReports();
  });

  it("do not contain those of a deleted link", async () => {
    const total = async () => (await reports("UTC")).counts[0]?.totals.bot;
    const before = (await total()) ?? 0;
    await run("DELETE FROM links WHERE short_code = 'link7'");
    expect(await total()).toBe(before - 7 * 5);
    await expectEqualReports();
    await addUp();
    expect(await ownerDays()).toEqual(DAYS.slice(0, -1));
    expect(await total()).toBe(before - 7 * 5);
    await expectEqualReports();
  });

  it("contain those of a link that was claimed", async () => {
    const total = async () => (await reports("UTC")).counts[0]?.totals.bot;
    const before = (await total()) ?? 0;
    const claimed = LINKS + 1;
    await run(`UPDATE links SET user_id = ${OWNER} WHERE short_code = 'link${claimed}'`);
    expect(await total()).toBe(before + claimed * 5);
    await addUp();
    expect(await total()).toBe(before + claimed * 5);
    await expectEqualReports();
  });

  it("are the same after months were rolled up, also after another deletion", async () => {
    const people = async () => (await reports("Asia/Kathmandu")).people;
    const before = await people();
    const later = Date.parse("2027-06-15T12:00:00Z");
    await rollUpClicks(
      { db: worker, logger, clickRetention: { dailyDays: 30, keptMonths: 12 } },
      new AbortController().signal,
      later,
    );
    expect(await people()).toEqual(before);
    await run("DELETE FROM links WHERE short_code = 'link9'");
    await expectEqualReports();
    await addUp();
    expect(await ownerDays()).toEqual(DAYS.slice(0, -1));
    await expectEqualReports();
  });

  it("are added up if those of another user cannot be", async () => {
    await run(`
      INSERT INTO users (id, username, email, firebase_uid) VALUES (2, 'bob', 'bob@x', 'uid2');
      INSERT INTO links (short_code, original_url, web_url, deep_link, user_id)
      SELECT 'bob', original_url, web_url, deep_link, 2 FROM links LIMIT 1;
      SELECT create_click_partitions('2026-11-01');
      INSERT INTO clicks (link_id, day, counts)
      SELECT id, '2026-11-23', '{"p": 1}' FROM links WHERE short_code = 'bob';
      INSERT INTO owner_clicks (user_id, day) VALUES (2, '2026-11-23');
      UPDATE owner_clicks SET counts = NULL WHERE day = '2026-11-20'
    `);
    await addUp();
    expect(await run("SELECT kind, key FROM failed_items")).toEqual([
      { kind: "sum-owner-clicks", key: "2" },
    ]);
    expect(await ownerDays()).toEqual(DAYS.slice(0, -1));
    await run("DELETE FROM links WHERE short_code = 'bob'; DELETE FROM users WHERE id = 2");
  });

  it("begin with another day while clicks are being applied", async () => {
    await run("UPDATE click_progress SET owner_days_until = '2026-11-21'");
    await withClient(database.url, async (client) => {
      await client.query("BEGIN; LOCK TABLE links");
      const adding = addUp().catch(() => {});
      await expect
        .poll(async () => (await run("SELECT FROM pg_locks WHERE NOT granted")).length)
        .toBeGreaterThan(0);
      await run("SET lock_timeout = '1s'; UPDATE click_progress SET complete_until = now()");
      await client.query("ROLLBACK");
      await adding;
    });
    const rows = await run("SELECT owner_days_until::text AS until FROM click_progress");
    expect(rows).toEqual([{ until: "2026-11-22" }]);
  });

  it("are deleted with the account", async () => {
    await run(`DELETE FROM links; DELETE FROM users WHERE id = ${OWNER}`);
    const rows = await run("SELECT FROM owner_clicks");
    expect(rows).toEqual([]);
  });
});
