import type { ThrowawayDatabase } from "./throwaway-database.ts";

/**
 * Gives a user 1,000,000 links to 200,003 products: they are routed and on 20 channels with tags in three stores, which two of three
 * follow, and each fourth one is on an own domain. Each tenth has a label, each 50th had another destination, and each 1,000th is not healthy. On each of the
 * last 30 days 5,000 have clicks, half of them the same ones, and each 210th on a day of each of the 24 months before. There are
 * reports of orders and of earnings with 20,000 rows each, and one of clicks, and rows in each table that is deleted with a user.
 *
 * Triggers would take minutes: what they make for a new link is inserted here.
 */
export async function seedBigAccount({ rows }: Pick<ThrowawayDatabase, "rows">, userId: number): Promise<void> {
  const asin = (n: string) => `'B' || lpad((${n} % 200003)::text, 9, '0')`;
  const tag = (n: string) => `'big' || (${n} % 20) || '-21'`;
  const host = `go${userId}.big.example`;
  await rows(`
    SELECT create_click_partitions((current_date - n * interval '1 month')::date) FROM generate_series(1, 25) n;
    INSERT INTO routing_settings VALUES (${userId}, true, 'search');
    INSERT INTO store_checks (user_id) VALUES (${userId});
    INSERT INTO domains (user_id, host, proof, verified_at) VALUES (${userId}, '${host}', 'p', now());
    INSERT INTO webhooks (user_id, url, events, encrypted_secret)
    VALUES (${userId}, 'https://hooks.big.example/', '{link.unhealthy}', 's');
    INSERT INTO channels (user_id, name, name_key)
    SELECT ${userId}, 'Channel ' || n, 'channel ' || n FROM generate_series(0, 19) n;
    INSERT INTO labels (user_id, name, name_key, colour)
    SELECT ${userId}, 'Label ' || n, 'label ' || n, 'red' FROM generate_series(0, 19) n;

    SET session_replication_role = replica;
    INSERT INTO channel_tags
    SELECT id, user_id, store, 'big' || split_part(name, ' ', 2) || '-21'
    FROM channels, unnest('{de,co.uk,com}'::text[]) store WHERE user_id = ${userId} AND NOT is_default;
    INSERT INTO products (canonical_url, marketplace, product_id, title, fetched_at, next_attempt_at)
    SELECT 'https://www.amazon.de/dp/' || asin, 'de', asin, 'Product ' || n, now(), now() + interval '1 day'
    FROM generate_series(0, 200002) n, LATERAL (SELECT ${asin("n")} AS asin) AS product;
    INSERT INTO product_stores SELECT ${asin("n")}, store, true, 'page', now()
    FROM generate_series(0, 9999) n, unnest('{de,co.uk,com}'::text[]) store;
    INSERT INTO links (short_code, original_url, web_url, deep_link, canonical_url, marketplace, tag, asin, user_id,
      channel_id, follows_channel, nickname, sort_name, created_at)
    SELECT 'big' || lpad(n::text, 7, '0') || CASE n % 4 WHEN 3 THEN '@${host}' ELSE '' END, url, url,
      'http://localhost:8080/redirect?product_id=x', page, 'de', CASE WHEN NOT follows THEN ${tag("n")} END, ${asin("n")}, ${userId}, channels.id, follows,
      'Link ' || n, 'Link ' || n, now() - (1000001 - n) * interval '1 second'
    FROM generate_series(1, 1000000) n
    JOIN channels ON user_id = ${userId} AND name = 'Channel ' || n % 20,
    LATERAL (SELECT 'https://www.amazon.de/dp/' || ${asin("n")} AS page) AS pages,
    LATERAL (SELECT n % 3 > 0 AS follows) AS kinds,
    LATERAL (SELECT page || '?tag=' || CASE WHEN follows THEN '' ELSE ${tag("n")} END AS url) AS urls ORDER BY n;
    INSERT INTO link_health (link_id, user_id, state, is_stale)
    SELECT id, user_id, CASE id % 1000 WHEN 0 THEN 'product-gone' ELSE 'ok' END, false FROM links WHERE user_id = ${userId};
    INSERT INTO link_labels SELECT links.id, labels.id
    FROM links JOIN labels ON labels.user_id = links.user_id AND labels.name = 'Label ' || links.id / 10 % 20
    WHERE links.user_id = ${userId} AND links.id % 10 = 0;
    INSERT INTO link_codes (short_code, link_id) SELECT short_code, id FROM links WHERE user_id = ${userId} AND id % 100 = 0;
    INSERT INTO link_destinations (link_id, user_id, original_url, web_url, marketplace, tag, asin, replaced_at)
    SELECT id, user_id, original_url, web_url, marketplace, ${tag("id")}, ${asin("id + 1")}, now() - id / 50 * interval '1 hour' FROM links WHERE user_id = ${userId} AND id % 50 = 0;
    INSERT INTO clicks (link_id, user_id, day, counts, people)
    SELECT id, ${userId}, current_date - n, '{"p": "8:3 40:7", "d:ios": "8:3 40:7", "r:t.example": "40:7"}', 10
    FROM generate_series(0, 29) n JOIN links ON user_id = ${userId} AND id % 400 IN (0, n + 1);
    INSERT INTO clicks (link_id, user_id, day, counts, people)
    SELECT id, ${userId}, (current_date - n * interval '1 month')::date, '{"p": "8:3 40:7", "d:ios": "8:3 40:7"}', 10
    FROM generate_series(2, 25) n, links WHERE user_id = ${userId} AND id % 210 = 0;
    INSERT INTO user_clicks (user_id, day, counts, people)
    SELECT ${userId}, current_date - n, '{"p": "8:15000 40:35000", "s:de": "8:1000"}'::jsonb || keys, 50000
    FROM generate_series(0, 29) n, (
      SELECT jsonb_object_agg(prefix || ':site' || place || '.example', '8:5 40:7') AS keys
      FROM generate_series(1, 500) place, unnest('{r,g}'::text[]) prefix
    ) AS of_keys;
    INSERT INTO all_links (user_id, short_code, original_url, web_url, deep_link, deleted_at)
    SELECT ${userId}, 'gone' || n, 'https://www.amazon.de/dp/B000000001', 'https://www.amazon.de/dp/B000000001',
      'com.amazon.mobile.shopping.web://amazon.de?product_id=B000000001', now()
    FROM generate_series(1, 10000) n;
    INSERT INTO audit_log (actor, actor_id, owner_id, action, object_id, object, after)
    SELECT 'user', ${userId}, ${userId}, 'link.created', id::text, short_code, '{"nickname": "Link"}'
    FROM links WHERE user_id = ${userId} AND id % 5 = 0;
    INSERT INTO webhook_deliveries (webhook_id, type, link_id, data, created_at)
    SELECT webhooks.id, 'link.changed', links.id, '{}', now() - links.id * interval '1 second'
    FROM webhooks JOIN links USING (user_id) WHERE user_id = ${userId} AND links.id % 10 = 0;
    INSERT INTO earnings_products SELECT ${userId}, ${asin("n")}, 'Product ' || n FROM generate_series(1, 20000) n;
    INSERT INTO earlier_channel_tags
    SELECT ${userId}, store, 'earlier' || n || '-21', id
    FROM (SELECT min(id) AS id FROM channels WHERE user_id = ${userId}) AS channel,
      generate_series(1, 300) n, unnest('{de,co.uk,com}'::text[]) store;
    INSERT INTO onelink_stores VALUES (${userId}, 'de');
    INSERT INTO earnings_rates (user_id, currency) VALUES (${userId}, 'EUR');
    INSERT INTO amazon_ads_connections (user_id, encrypted_refresh_token) VALUES (${userId}, 's');
    INSERT INTO shared_pages (user_id, label_id, name, token_hash, ends_on)
    SELECT ${userId}, id, name, sha256(name::bytea), current_date + 1 FROM labels WHERE user_id = ${userId};
    INSERT INTO api_keys (user_id, name, key_hash, start, scopes)
    SELECT ${userId}, 'Key ' || n, sha256(('big' || n)::bytea), 'tt_big', '{links:read}' FROM generate_series(1, 15) n;
    INSERT INTO members (account_id, name, role, token_hash, expires_at)
    SELECT ${userId}, 'Ben ' || n, 'editor', sha256(('member' || n)::bytea), now() + interval '1 day' FROM generate_series(1, 15) n;
    WITH import AS (
      INSERT INTO earnings_imports (user_id, file_name, state, stored_at) VALUES (${userId}, 'big.csv', 'stored', now())
      RETURNING id
    ), report AS (
      INSERT INTO earnings_reports (import_id, user_id, marketplace, store_id, file_name, kind, first_day, last_day,
        currency, row_count, sums, days)
      SELECT id, ${userId}, 'de', 'big-21', 'big.csv', kind, current_date - 49, current_date, 'EUR', 20000,
        '{"earnings": 20000, "revenue": 200000, "ordered": 20000, "shipped": 20000, "returned": 0, "clicks": 0}',
        datemultirange(daterange(current_date - 49, current_date, '[]'))
      FROM import, unnest('{earnings,orders,tracking}'::text[]) kind RETURNING id, kind
    )
    INSERT INTO earnings_rows
    SELECT id, CASE kind WHEN 'tracking' THEN current_date - 49 ELSE current_date - n % 50 END, ${tag("n")},
      CASE kind WHEN 'tracking' THEN '' ELSE ${asin("n * 3")} END, true, 1, 10, 1, 1, 0, CASE kind WHEN 'tracking' THEN 100 END
    FROM report, generate_series(1, 20000) n WHERE kind <> 'tracking' OR n <= 20;
  `);
  await rows("VACUUM ANALYZE");
}
