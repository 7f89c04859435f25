import { createLogger } from "@tapthru/runtime/logger";
import { createPostgres } from "@tapthru/runtime/postgres/postgres";
import pg from "pg";
import { sumOwnerClicks } from "../src/jobs/sum-owner-clicks/handler.ts";

// Fills a migrated database without links with the clicks of 1,000,000 links for 90 days, adds up those of the users
// with many links, and prints times and sizes. User 1 has 1,000 links, user 2 has 10,000, the others ten each. Only the
// rows of those two users have as many keys as usual, so that the database has 15 GB in place of 60 GB.
const [databaseUrl, days = "90"] = process.argv.slice(2);
if (databaseUrl === undefined) {
  console.error("Say where: node services/worker/bench/sum-owner-clicks.ts <postgres> [days]");
  process.exit(1);
}

const LINKS = `
  INSERT INTO users (id, username, email, firebase_uid)
  SELECT n, 'user ' || n, 'user' || n || '@example.com', 'uid' || n FROM generate_series(1, 100002) n;
  INSERT INTO links (id, short_code, original_url, web_url, deep_link, user_id) OVERRIDING SYSTEM VALUE
  SELECT n, 'c' || lpad(to_hex(n), 6, '0'), url, url, 'https://t.example/redirect?product_id=B',
    CASE WHEN n % 1000 = 1 THEN 1 WHEN n % 100 = 50 THEN 2 ELSE 3 + n % 100000 END
  FROM generate_series(1, 1000000) n,
    LATERAL (SELECT 'https://www.amazon.com/dp/B' || lpad(n::text, 9, '0') || '?tag=tapthru-20' AS url) u;
`;

/** Ten clicks in eight quarter-hours, three countries, 14 keys, eight visitors; or one click. */
const DAY = `
  INSERT INTO clicks (link_id, day, counts, visitors)
  SELECT id, $1::date,
    CASE WHEN user_id <= 2 THEN jsonb_build_object(
      'p', format('%s %s:2 %s %s %s:2 %s %s %s', a, a+3, a+9, a+14, a+20, a+29, a+38, a+44),
      'v', (a + 1)::text, 'b', format('%s %s', a + 2, a + 40), 'd:ios', format('%s %s:2 %s', a, a+3, a+9),
      'd:android', format('%s %s:2 %s', a+14, a+20, a+29), 'd:desktop', format('%s %s', a+38, a+44),
      'a:instagram', format('%s:2 %s', a+3, a+9), 'c:' || (ARRAY['DE','AT','CH','US','FR'])[a % 5 + 1],
      format('%s %s:2 %s %s', a, a+3, a+9, a+14), 'c:' || (ARRAY['GB','IN','NP','ES'])[a % 4 + 1],
      format('%s:2 %s', a+20, a+29), 'c:unknown', format('%s %s', a+38, a+44), 'r:direct',
      format('%s %s:2 %s', a, a+3, a+9), 'r:shop' || id % 40 || '.example', format('%s %s:2', a+14, a+20),
      'o:page', format('%s %s:2 %s', a, a+3, a+9), 'o:opened', format('%s %s', a, a+3)
    ) ELSE jsonb_build_object('p', a::text) END,
    CASE WHEN user_id <= 2 THEN decode(lpad(to_hex(id * 37 % 65536), 6, '0')
      || lpad(to_hex(id * 41 % 65536 + 65536), 6, '0') || lpad(to_hex(id * 43 % 65536 + 131072), 6, '0')
      || lpad(to_hex(id * 47 % 65536 + 196608), 6, '0') || lpad(to_hex(id * 53 % 65536 + 262144), 6, '0')
      || lpad(to_hex(id * 59 % 65536 + 327680), 6, '0') || lpad(to_hex(id * 61 % 65536 + 393216), 6, '0')
      || lpad(to_hex(id * 67 % 65536 + 458752), 6, '0'), 'hex') END
  FROM (SELECT id, user_id, (id * 7 + $2::int * 13) % 50 AS a FROM links ORDER BY id) AS rows
`;

const db = createPostgres({
  url: databaseUrl,
  applicationName: "bench",
  maxConnections: 2,
  statementTimeoutMs: 10_000,
  acquireTimeoutMs: 1_000,
  logger: createLogger({ service: "bench", level: "error" }),
});
const client = new pg.Client({ connectionString: databaseUrl });
await client.connect();
const { rowCount } = await client.query("SELECT FROM links LIMIT 1");
if (rowCount === 0) await fill();
await printSeconds("adding up", () => sumOwnerClicks({ db }, new AbortController().signal));
await client.query("VACUUM ANALYZE owner_clicks");
await print(`SELECT user_id, count(*) AS days, sum(pg_column_size(o.*)) / count(*) AS bytes_each
  FROM owner_clicks o WHERE counts IS NOT NULL AND person <> '{}' GROUP BY user_id`);
await print(`SELECT parent::text, count(*) AS partitions, pg_size_pretty(sum(pg_total_relation_size(inhrelid))) AS size
  FROM pg_inherits, LATERAL (SELECT inhparent::regclass AS parent) p
  WHERE parent IN ('clicks'::regclass, 'owner_clicks'::regclass) GROUP BY parent`);
await client.end();
await db.stop?.();

async function fill(): Promise<void> {
  await printSeconds("links", () => client.query(LINKS));
  await client.query("ALTER TABLE clicks DROP CONSTRAINT clicks_pkey");
  for (let day = Number(days) - 1; day >= 0; day--) {
    const date = new Date(Date.now() - day * 86_400_000).toISOString().slice(0, 10);
    await client.query("SELECT create_click_partitions($1)", [date]);
    await printSeconds(date, () => client.query(DAY, [date, day]));
  }
  await printSeconds("index", () =>
    client.query("ALTER TABLE clicks ADD CONSTRAINT clicks_pkey PRIMARY KEY (link_id, day)"),
  );
  await printSeconds("vacuum", () => client.query("VACUUM ANALYZE clicks, links"));
}

async function printSeconds(title: string, work: () => Promise<unknown>): Promise<void> {
  const since = performance.now();
  await work();
  console.log(title, ((performance.now() - since) / 1_000).toFixed(1), "s");
}

async function print(query: string): Promise<void> {
  console.table((await client.query(query)).rows);
}
