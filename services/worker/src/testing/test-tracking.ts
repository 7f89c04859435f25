import type { TestDatabase } from "./test-database.ts";

/** Adds a channel with a tag in amazon.de, and a link that has it. */
export async function addTrackedChannel(
  { rows }: Pick<TestDatabase, "rows">,
  userId: number,
  name: string,
  tag: string,
) {
  await rows(
    `WITH channel AS (INSERT INTO channels (user_id, name, name_key) VALUES ($1, $2, $2) RETURNING id), tag AS (
       INSERT INTO channel_tags SELECT id, $1, 'de', $3 FROM channel
     )
     INSERT INTO links (short_code, original_url, web_url, marketplace, tag, asin, deep_link, user_id, channel_id)
     SELECT $3, 'https://www.amazon.de/', 'https://www.amazon.de/', 'de', $3, 'B08N5WRWNW',
       'https://t.example/redirect?product_id=B08N5WRWNW', $1, id FROM channel`,
    [userId, name, tag],
  );
}

/** The day in UTC, such as 2026-11-21. */
export const dayAgo = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);

/** Stores a tracking report of a day on which 1,000 people opened each link, two days later. @param clicks by tag */
export async function addTrackedDay(
  { rows }: Pick<TestDatabase, "rows">,
  userId: number,
  ago: number,
  clicks: Record<string, number>,
) {
  const day = dayAgo(ago);
  await rows(`SELECT create_click_partitions('${day}')`);
  await rows(
    `INSERT INTO clicks SELECT id, '${day}', '{"p": "48:1000"}', NULL, 1000, user_id FROM links WHERE user_id = ${userId}`,
  );
  await rows(
    `WITH import AS (
       INSERT INTO earnings_imports (user_id, state, marketplace, stored_at)
       VALUES ($1, 'stored', 'de', $2::date + 2) RETURNING id
     ), report AS (
       INSERT INTO earnings_reports (import_id, user_id, marketplace, store_id, file_name, kind, first_day,
         last_day, currency, row_count, sums)
       SELECT id, $1, 'de', '', 'f', 'tracking', $2, $2, 'EUR', 1, '{}' FROM import RETURNING id
     )
     INSERT INTO earnings_rows (report_id, day, tag, asin, clicks)
     SELECT id, $2, key, '', value::int FROM report, jsonb_each_text($3)`,
    [userId, day, JSON.stringify(clicks)],
  );
}
