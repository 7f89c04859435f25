import type { TestDatabase } from "./test-database.ts";
import { addOwnLinks } from "./test-webhooks.ts";

const WEEK_MS = 7 * 86_400_000;
/** Clicks are complete until a minute later. */
const END = Date.parse("2026-11-20T15:00:00Z");

/** Adds a link of the user with people from 14:00 to 15:00, this week and in weeks before. */
export async function addBusyLink(
  database: Pick<TestDatabase, "rows">,
  userId: number,
  name: string,
  people: readonly number[],
): Promise<void> {
  const { rows } = database;
  await rows("UPDATE click_progress SET complete_until = to_timestamp($1::float8 / 1000)", [END + 60_000]);
  await addOwnLinks(database, userId, { name });
  await rows("UPDATE links SET created_at = '2026-01-01'");
  for (const [week, count] of people.entries()) {
    const day = new Date(END - week * WEEK_MS).toISOString().slice(0, 10);
    await rows(`SELECT create_click_partitions('${day}')`);
    await rows(
      `INSERT INTO clicks SELECT id, '${day}', jsonb_build_object('p', '57:' || $2::text), NULL, $2::int
       FROM links WHERE short_code = $1 || '1'`,
      [name, count],
    );
  }
}

/** Stores a report of the last days with earnings for each day, and two items. @param ago of its last day */
export async function addEarnings(
  { rows }: Pick<TestDatabase, "rows">,
  userId: number,
  earnings: readonly number[],
  { ago = 2, storedAgo = "1 minute" } = {},
): Promise<void> {
  await rows(
    `WITH import AS (
       INSERT INTO earnings_imports (user_id, state, marketplace, stored_at)
       VALUES ($1, 'stored', 'de', now() - $4::interval) RETURNING id
     ), report AS (
       INSERT INTO earnings_reports (import_id, user_id, marketplace, store_id, file_name, kind, first_day, last_day,
         currency, row_count, sums)
       SELECT id, $1, 'de', '', 'f', 'earnings', current_date - $3::int - cardinality($2::int[]) + 1, current_date - $3::int,
         'EUR', 1, '{}' FROM import RETURNING id, last_day
     )
     INSERT INTO earnings_rows (report_id, day, tag, asin, earnings, shipped)
     SELECT id, last_day - n::int + 1, 'me-21', '', amount, 2 FROM report, unnest($2::int[]) WITH ORDINALITY AS item (amount, n)`,
    [userId, earnings, ago, storedAgo],
  );
  await rows(`SELECT calculate_earnings_days(${userId}, 'de', '', 'earnings')`);
}
