import type { ThrowawayDatabase } from "./throwaway-database.ts";

/**
 * Gives a user 100,000 links to 50,000 products, which are routed and follow 20 channels with tags in three stores, 20 labels on
 * each tenth link, clicks of 5,000 links on each day of this month, and a report with 20,000 rows.
 */
export async function seedBigAccount({ rows }: Pick<ThrowawayDatabase, "rows">, userId: number): Promise<void> {
  const asin = (n: string) => `'B' || lpad((${n} % 50000)::text, 9, '0')`;
  const tag = (n: string) => `'big' || (${n} % 20) || '-21'`;
  await rows(`
    INSERT INTO routing_settings VALUES (${userId}, true, 'search');
    INSERT INTO channels (user_id, name, name_key)
    SELECT ${userId}, 'Channel ' || n, 'channel ' || n FROM generate_series(0, 19) n;
    INSERT INTO channel_tags
    SELECT id, user_id, store, 'big' || split_part(name, ' ', 2) || '-21'
    FROM channels, unnest('{de,co.uk,com}'::text[]) store WHERE user_id = ${userId} AND NOT is_default;
    INSERT INTO labels (user_id, name, name_key, colour)
    SELECT ${userId}, 'Label ' || n, 'label ' || n, 'red' FROM generate_series(0, 19) n;
    INSERT INTO products (canonical_url, marketplace, product_id, title, fetched_at, next_attempt_at)
    SELECT 'https://www.amazon.de/dp/' || asin, 'de', asin, 'Product ' || n, now(), now() + interval '1 day'
    FROM generate_series(0, 49999) n, LATERAL (SELECT ${asin("n")} AS asin) AS product;
    INSERT INTO product_stores SELECT ${asin("n")}, store, true, 'page', now()
    FROM generate_series(0, 9999) n, unnest('{de,co.uk,com}'::text[]) store;
    INSERT INTO links (short_code, original_url, web_url, deep_link, canonical_url, marketplace, tag, asin, user_id,
      channel_id, channel_tag, nickname)
    SELECT 'big' || lpad(n::text, 6, '0'), url, url, 'http://localhost:8080/redirect?product_id=x', page, 'de', ${tag("n")},
      ${asin("n")}, ${userId}, channels.id, ${tag("n")}, 'Link ' || n
    FROM generate_series(1, 100000) n
    JOIN channels ON user_id = ${userId} AND name = 'Channel ' || n % 20,
    LATERAL (SELECT 'https://www.amazon.de/dp/' || ${asin("n")} AS page) AS pages,
    LATERAL (SELECT page || '?tag=' || ${tag("n")} AS url) AS urls;
    INSERT INTO link_labels SELECT links.id, labels.id FROM links JOIN labels USING (user_id)
    WHERE user_id = ${userId} AND links.id % 10 = 0 AND labels.name = 'Label ' || links.id / 10 % 20;
    INSERT INTO clicks (link_id, day, counts, people)
    SELECT id, day, '{}', 10 FROM links, generate_series(date_trunc('month', current_date), current_date, interval '1 day') day
    WHERE user_id = ${userId} AND id % 20 = 0;
    INSERT INTO user_clicks (user_id, day, counts, people)
    SELECT ${userId}, day, '{}', 50000 FROM generate_series(date_trunc('month', current_date), current_date, interval '1 day') day;
    WITH import AS (
      INSERT INTO earnings_imports (user_id, file_name, state) VALUES (${userId}, 'big.csv', 'stored') RETURNING id
    ), report AS (
      INSERT INTO earnings_reports (import_id, user_id, marketplace, store_id, file_name, kind, first_day, last_day,
        currency, row_count, sums, days)
      SELECT id, ${userId}, 'de', 'big-21', 'big.csv', 'earnings', current_date - 29, current_date, 'EUR', 20000,
        '{"earnings": 20000, "revenue": 200000, "ordered": 20000, "shipped": 20000, "returned": 0, "clicks": 0}',
        datemultirange(daterange(current_date - 29, current_date, '[]'))
      FROM import RETURNING id
    )
    INSERT INTO earnings_rows SELECT id, current_date - n % 30, ${tag("n")}, ${asin("n")}, true, 1, 10, 1, 1, 0, null
    FROM report, generate_series(1, 20000) n;
    ANALYZE;
  `);
}
