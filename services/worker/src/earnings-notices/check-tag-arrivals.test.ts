import { WebhookPayload } from "@tapthru/proto/http/webhooks";
import { createPostgresClickStore } from "@tapthru/runtime/clicks/postgres-store";
import { createTestLogger } from "@tapthru/runtime/testing/test-logger";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { Mail } from "../emails/mailer.ts";
import { createTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import { addUser } from "../testing/test-webhooks.ts";
import { checkTagArrivals } from "./check-tag-arrivals.ts";

let database: TestDatabase;
let anna: number;
let channel: number;
let mails: { to: string; mail: Mail }[];

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.empty();
  mails = [];
  anna = await addUser(database);
  await rows(
    `UPDATE users SET email = 'anna@t.example', email_is_verified = true WHERE id = ${anna}`,
  );
  const [row] = await rows(`
    INSERT INTO channels (user_id, name, name_key) VALUES (${anna}, 'Instagram', 'instagram') RETURNING id
  `);
  channel = Number(row?.id);
  await rows(`INSERT INTO channel_tags VALUES (${channel}, ${anna}, 'de', 'insta-21')`);
  await rows(`
    INSERT INTO links (short_code, original_url, web_url, deep_link, user_id, channel_id)
    SELECT 'lamp' || ${anna}, url, url, 'https://t.example/redirect?product_id=B08N5WRWNW', ${anna}, ${channel}
    FROM (VALUES ('https://www.amazon.de/dp/B08N5WRWNW?tag=insta-21')) AS page (url)
  `);
  await rows(
    "INSERT INTO webhooks (user_id, url, events, sealed_secret) VALUES ($1, 'u', '{channel.failing}', 's')",
    [anna],
  );
});

const rows = (statement: string, values?: unknown[]) => database.rows(statement, values);

/** Stores a tracking report of a month in 2026, in which 1,000 people opened the link. */
async function addMonth(month: number, clicks: number): Promise<void> {
  const first = `2026-${String(month).padStart(2, "0")}-01`;
  await rows(`SELECT create_click_partitions('${first}')`);
  await rows(`
    INSERT INTO clicks SELECT id, '${first}', '{"p": "48:1000"}' FROM links WHERE user_id = ${anna}
  `);
  await rows(`
    WITH import AS (
      INSERT INTO earnings_imports (user_id, state, marketplace, stored_at)
      VALUES (${anna}, 'stored', 'de', now()) RETURNING id
    ), report AS (
      INSERT INTO earnings_reports (import_id, user_id, marketplace, store_id, file_name, kind, first_day,
        last_day, currency, row_count, sums)
      SELECT id, ${anna}, 'de', '', 'f', 'tracking', '${first}',
        ('${first}'::date + interval '1 month - 1 day')::date, 'EUR', 1, '{}' FROM import
      RETURNING id
    )
    INSERT INTO earnings_rows (report_id, day, tag, asin, clicks)
    SELECT id, '${first}', 'insta-21', '', ${clicks} FROM report
  `);
  await rows(`SELECT calculate_earnings_days(${anna}, 'de', '', 'tracking')`);
}

const check = (send: (to: string) => void = () => {}) =>
  checkTagArrivals(
    {
      db: database.db,
      clickReader: createPostgresClickStore(database.db),
      mailer: {
        check: async () => {},
        send: async (to, mail) => {
          send(to);
          mails.push({ to, mail });
        },
      },
      publicBaseUrl: "https://t.example",
      productName: "Tapthru",
      logger: createTestLogger().logger,
    },
    new AbortController().signal,
  );
const events = async () => rows("SELECT type, data FROM webhook_deliveries ORDER BY id");

it("a channel whose clicks arrive less often causes one event and one email, until it has recovered", async () => {
  for (const month of [5, 6]) await addMonth(month, 800);
  await check();
  expect([await events(), mails]).toEqual([[], []]);

  await addMonth(7, 300);
  await check();
  await check();
  const [event, ...others] = await events();
  expect(others).toEqual([]);
  const data = {
    channel: { id: channel, name: "Instagram" },
    marketplace: "de",
    firstDay: "2026-07-01",
    lastDay: "2026-07-31",
    ratio: 0.3,
    usualRatio: 0.8,
  };
  expect(event).toEqual({ type: "channel.failing", data });
  expect(WebhookPayload.parse({ ...event, timestamp: "2026-11-26T12:00:00.000Z" }).data).toEqual(
    data,
  );
  expect(mails).toMatchObject([
    { to: "anna@t.example", mail: { subject: "Fewer clicks of Instagram arrive at amazon.de" } },
  ]);
  expect(mails[0]?.mail.text).toContain("https://t.example/earnings");

  await addMonth(8, 280);
  await check();
  expect(mails).toHaveLength(1);
  await addMonth(9, 800);
  await check();
  await addMonth(10, 100);
  await check();
  expect([(await events()).length, mails.length]).toEqual([2, 2]);
});

it("sends an email that the mail server postponed later, and none to an address that is not verified", async () => {
  for (const month of [5, 6]) await addMonth(month, 800);
  await addMonth(7, 300);
  await check(() => {
    throw Object.assign(new Error("later"), { responseCode: 451 });
  });
  expect(mails).toEqual([]);
  await rows("UPDATE users SET email_is_verified = false");
  await check();
  expect(mails).toEqual([]);
  await rows("UPDATE users SET email_is_verified = true");
  await check();
  expect(mails).toHaveLength(1);
});
