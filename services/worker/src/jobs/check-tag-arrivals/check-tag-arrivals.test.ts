import { type ClickReader, createClickReader } from "@tapthru/core/clicks/click-reader";
import { findTagArrivals } from "@tapthru/core/earnings/tag-arrivals";
import { createTestLogger } from "@tapthru/core/platform/testing/test-logger";
import { WebhookPayload } from "@tapthru/proto/webhook-events";
import { beforeEach, expect, it } from "vitest";
import type { Mail } from "../../emails/mailer.ts";
import { makeFail, useDatabase } from "../../testing/test-database.ts";
import { createTestMailer } from "../../testing/test-mailer.ts";
import { addUser, addWebhook } from "../../testing/test-webhooks.ts";
import { checkTagArrivals } from "./check-tag-arrivals.ts";

const database = await useDatabase();
let anna: number;
let channel: number;
let mails: { to: string; mail: Mail }[];

beforeEach(async () => {
  mails = [];
  anna = await addUser(database, "anna", true);
  channel = await addChannel("Instagram", "insta-21");
  await addLink("lamp", channel, "insta-21");
  await addWebhook(database, anna, { url: "https://hooks.example/", events: ["channel.failing"] });
});

async function addChannel(name: string, tag: string): Promise<number> {
  const [row] = await rows("INSERT INTO channels (user_id, name, name_key) VALUES ($1, $2, $2) RETURNING id", [
    anna,
    name,
  ]);
  await rows("INSERT INTO channel_tags VALUES ($1, $2, 'de', $3)", [row?.id, anna, tag]);
  return Number(row?.id);
}

/** Adds a link of Anna on a channel with this tag. */
const addLink = (code: string, channelId: number, tag: string) =>
  rows(
    `INSERT INTO links (short_code, original_url, web_url, marketplace, tag, asin, deep_link, user_id, channel_id)
     SELECT $1, url, url, 'de', $2, 'B08N5WRWNW', 'https://t.example/redirect?product_id=B08N5WRWNW', $3::int, $4::int
     FROM (SELECT 'https://www.amazon.de/dp/B08N5WRWNW?tag=' || $2) AS page (url)`,
    [code, tag, anna, channelId],
  );
const rows = (statement: string, values?: unknown[]) => database.rows(statement, values);

const dayAgo = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);

/** Stores a tracking report of a day in which people opened the link. @returns its import */
async function addDay(ago: number, clicks: number | null, people = 1_000): Promise<string> {
  await addPeople(ago, people);
  return addReport([ago, ago], clicks);
}

async function addPeople(ago: number, people = 1_000) {
  const day = dayAgo(ago);
  await rows(`SELECT create_click_partitions('${day}')`);
  await rows(`
    INSERT INTO clicks SELECT id, '${day}', '{"p": "48:${people}"}', NULL, ${people} FROM links WHERE user_id = ${anna}
  `);
}

/** @param clicks null: the report has no row of the channel */
async function addReport([from, to]: [number, number], clicks: number | null, storeId = "", userId = anna) {
  const [first, last] = [dayAgo(from), dayAgo(to)];
  const [row] = await rows(`
    WITH import AS (
      INSERT INTO earnings_imports (user_id, state, marketplace, store_id, stored_at)
      VALUES (${userId}, 'stored', 'de', '${storeId}', now()) RETURNING id
    ), report AS (
      INSERT INTO earnings_reports (import_id, user_id, marketplace, store_id, file_name, kind, first_day,
        last_day, currency, row_count, sums)
      SELECT id, ${userId}, 'de', '${storeId}', 'f', 'tracking', '${first}', '${last}', 'EUR', 2, '{}' FROM import
      RETURNING id
    ), items AS (
      INSERT INTO earnings_rows (report_id, day, tag, asin, clicks)
      SELECT id, '${first}', tag, '', clicks
      FROM report, (VALUES ('insta-21', ${clicks}), ('unknown-21', 5)) AS item (tag, clicks)
      WHERE clicks IS NOT NULL
    )
    SELECT id FROM import
  `);
  await rows(`SELECT calculate_earnings_days(${userId}, 'de', '${storeId}', 'tracking')`);
  return String(row?.id);
}

/** Two days, of whose clicks 80 % arrived. */
async function addUsualDays(): Promise<void> {
  for (const ago of [50, 40]) await addDay(ago, 800);
}

const check = (
  send: (to: string) => void = () => {},
  clickReader: Pick<ClickReader, "count"> = createClickReader(database.db),
) =>
  checkTagArrivals(
    {
      db: database.db,
      clickReader,
      mailer: createTestMailer(mails, send),
      publicBaseUrl: "https://t.example",
      productName: "Tapthru",
      logger: createTestLogger().logger,
    },
    {},
    new AbortController(),
  );
const events = async () => rows("SELECT type, data FROM webhook_deliveries ORDER BY id");

it("a channel whose clicks arrive less often causes one event and one email, until it has recovered", async () => {
  await addUsualDays();
  await check();
  expect([await events(), mails]).toEqual([[], []]);
  await addDay(30, 300);
  await check();
  await check();
  const [event, ...others] = await events();
  expect(others).toEqual([]);
  const data = {
    channel: { id: channel, name: "Instagram" },
    marketplace: "de",
    firstDay: dayAgo(30),
    lastDay: dayAgo(30),
    ratio: 0.3,
    usualRatio: 0.8,
  };
  expect(event).toEqual({ type: "channel.failing", data });
  expect(WebhookPayload.parse({ ...event, timestamp: "2026-11-26T12:00:00.000Z" }).data).toEqual(data);
  expect(mails).toMatchObject([
    { to: "anna@t.example", mail: { subject: "Fewer taps of Instagram arrive at amazon.de" } },
  ]);
  expect(mails[0]?.mail.text).toContain(`https://t.example/a/${anna}/earnings`);
  await addDay(20, 280);
  await check();
  // Too few people opened it.
  await addDay(15, 0, 50);
  await check();
  await addDay(12, 290);
  await check();
  expect(mails).toHaveLength(1);
  await addDay(10, 800);
  await check();
  await addDay(5, 100);
  await check();
  expect([(await events()).length, mails.length]).toEqual([2, 2]);
});

it("a channel that a report no longer has counts as one without clicks", async () => {
  await addUsualDays();
  await addDay(30, null);
  await check();
  expect(await events()).toMatchObject([{ data: { ratio: 0, usualRatio: 0.8 } }]);
});

it("a channel without a row in the reports of another account is not compared with these", async () => {
  await addDay(50, 800);
  await addReport([40, 40], null, "other-21");
  await check();
  expect(await rows("SELECT amazon_clicks FROM channel_arrivals")).toEqual([{ amazon_clicks: 800 }]);
});

it("reports with common days are all compared, also if they were stored at the same time", async () => {
  for (const ago of [50, 40, 30]) await addPeople(ago);
  await addReport([50, 40], 1_600);
  await addReport([45, 30], 1_500);
  await check();
  const found = await findTagArrivals(database.db, anna);
  expect(found[0]?.periods).toMatchObject([
    { firstDay: dayAgo(50), amazonClicks: 1_600, people: 2_000 },
    { firstDay: dayAgo(45), amazonClicks: 1_500, people: 2_000 },
  ]);
});

it("the clicks of all tags of a channel together may be more than an integer", async () => {
  await rows(`INSERT INTO earlier_channel_tags VALUES (${anna}, 'de', 'first-21', ${channel})`);
  await addReport([40, 40], 2_147_483_647);
  await rows("UPDATE earnings_rows SET tag = 'first-21', clicks = 2147483647 WHERE tag = 'unknown-21'");
  await check();
  const found = await findTagArrivals(database.db, anna);
  expect(found[0]?.periods).toMatchObject([{ amazonClicks: 2_147_483_647 }]);
});

it("a user whose clicks cannot be read keeps back neither other users nor emails", async () => {
  const bert = await addUser(database);
  await addDay(40, 800);
  await addReport([40, 40], null, "", bert);
  const store = createClickReader(database.db);
  const count: typeof store.count = async (scope, ...query) => {
    if (scope.userId !== anna) return store.count(scope, ...query);
    await rows(`INSERT INTO failing_channels (channel_id, marketplace) VALUES (${channel}, 'de')`);
    throw new Error("unreadable clicks");
  };
  await check(() => {}, { count });
  expect(await rows("SELECT user_id, is_compared FROM earnings_reports ORDER BY id")).toEqual([
    { user_id: anna, is_compared: false },
    { user_id: bert, is_compared: true },
  ]);
  expect(mails).toHaveLength(1);
  expect(await rows("SELECT kind, key FROM failed_items")).toEqual([{ kind: "check-tag-arrivals", key: String(anna) }]);
});

it("channels are not compared in a period after whose start links moved between them", async () => {
  const blog = await addChannel("Blog", "blog-21");
  await addLink("second", blog, "blog-21");
  await addUsualDays();
  await check();
  // Its people of past days now belong to Instagram, Amazon's clicks do not.
  await rows(`
    UPDATE links SET channel_id = ${channel}, web_url = 'https://www.amazon.de/dp/B08N5WRWNW?tag=insta-21',
      tag = 'insta-21'
    WHERE channel_id = ${blog}
  `);
  await addDay(30, 800);
  await check();
  expect([await events(), mails]).toEqual([[], []]);
  const ofChannel = async () =>
    (await findTagArrivals(database.db, anna)).find(({ channelId }) => channelId === channel);
  expect(await ofChannel()).toMatchObject({
    periods: [{}, {}, { people: 2_000, isComparable: false, ratio: null }],
    trend: { trend: "unknown" },
  });
  // A later period has the links as they are.
  await rows(`UPDATE channel_moves SET moved_on = '${dayAgo(21)}'`);
  await addDay(20, 800);
  await check();
  expect(await ofChannel()).toMatchObject({ trend: { trend: "falling" } });
});

it("a change of a channel's tag moves none of its links", async () => {
  await rows(`UPDATE links SET channel_tag = 'insta-21' WHERE user_id = ${anna}`);
  await rows(`UPDATE channel_tags SET tag = 'insta2-21' WHERE channel_id = ${channel}`);
  await rows(`
    UPDATE links SET channel_tag = 'insta2-21', web_url = replace(web_url, 'insta', 'insta2') WHERE user_id = ${anna}
  `);
  await rows(`UPDATE links SET web_url = replace(web_url, '?', '?th=1&') WHERE user_id = ${anna}`);
  expect(await rows("SELECT FROM channel_moves")).toEqual([]);
});

it("compares a report when its last day is two days ago, and once", async () => {
  await addUsualDays();
  await addDay(1, 300);
  await check();
  expect(await rows("SELECT amazon_clicks, people FROM channel_arrivals")).toEqual([
    { amazon_clicks: 800, people: 1_000 },
    { amazon_clicks: 800, people: 1_000 },
  ]);
  expect(mails).toEqual([]);
  // As a day later.
  await rows("UPDATE earnings_reports SET first_day = first_day - 1, last_day = last_day - 1");
  await rows("UPDATE clicks SET day = day - 1");
  await rows(`SELECT calculate_earnings_days(${anna}, 'de', '', 'tracking')`);
  await check();
  expect(mails).toHaveLength(1);
});

it("a link that is deleted or gets another channel does not change what was compared", async () => {
  await addLink("second", channel, "insta-21");
  for (const ago of [50, 40]) await addDay(ago, 1_600);
  await check();
  await rows("DELETE FROM links WHERE short_code = 'second'");
  await addDay(30, 800);
  await check();
  expect([await events(), mails]).toEqual([[], []]);
});

it("does not report a fall of more than 60 days ago", async () => {
  for (const ago of [90, 80]) await addDay(ago, 800);
  await addDay(70, 300);
  await check();
  expect([await events(), mails]).toEqual([[], []]);
});

it("reports a fall again after all reports were removed", async () => {
  const addAll = async () => {
    const ids = [await addDay(50, 800), await addDay(40, 800), await addDay(30, 300)];
    await check();
    return ids;
  };
  const ids = await addAll();
  await rows("DELETE FROM earnings_imports WHERE id = ANY ($1)", [ids]);
  await rows("DELETE FROM clicks");
  await addAll();
  expect(mails).toHaveLength(2);
});

it("sends an email that the mail server postponed later, within a week, and none to an address that is not verified or of a disabled user", async () => {
  await addUsualDays();
  await addDay(30, 300);
  await check(() => {
    throw Object.assign(new Error("later"), { responseCode: 451 });
  });
  expect(mails).toEqual([]);
  for (const [without, again] of [
    ["email_is_verified = false", "email_is_verified = true"],
    ["state = 'disabled'", "state = 'enabled'"],
  ]) {
    await rows(`UPDATE users SET ${without}`);
    await check();
    expect(mails).toEqual([]);
    await rows(`UPDATE users SET ${again}`);
  }
  await rows("UPDATE failing_channels SET since = since - interval '8 days'");
  await check();
  expect(mails).toEqual([]);
  await rows("UPDATE failing_channels SET since = now() - interval '6 days'");
  await check();
  expect(mails).toHaveLength(1);
});

it("50 emails about channels that fail do not hold up others", async () => {
  await rows(
    `WITH channel AS (
       INSERT INTO channels (user_id, name, name_key) SELECT $1, 'c' || n, 'c' || n FROM generate_series(1, 50) n
       RETURNING id
     )
     INSERT INTO failing_channels (channel_id, marketplace, since) SELECT id, 'com', now() - interval '1 day' FROM channel`,
    [anna],
  );
  await rows("INSERT INTO failing_channels (channel_id, marketplace) VALUES ($1, 'de')", [channel]);
  await makeFail(database, "failing_channels", { marketplace: "com", notice_due: false });
  await check();
  expect(mails).toEqual([]);
  await check();
  expect(mails).toMatchObject([{ mail: { subject: expect.stringContaining("amazon.de") } }]);
});
