import { spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { PROJECTION_KEY } from "@tapthru/proto/redirect/record";
import { createLogger } from "@tapthru/runtime/logger";
import { createRequestRedis } from "@tapthru/runtime/redis/redis";
import pg from "pg";

// Measures how long the worker takes to write the records of all links to an empty Redis. Requires a migrated database,
// with the credentials of its owner, and a Redis that may be emptied. A database without links gets 1,000,000, or `count`.
const [databaseUrl, redisUrl, count = "1000000"] = process.argv.slice(2);
if (databaseUrl === undefined || redisUrl === undefined) {
  console.error(
    "Usage: node services/worker/bench/rebuild-redirects.ts <postgres> <redis> [count]",
  );
  process.exit(1);
}

const LOAD = `
  WITH page AS (
    INSERT INTO products (canonical_url, marketplace, product_id, title, image_url, next_attempt_at)
    SELECT 'https://www.amazon.com/dp/B' || lpad(n::text, 9, '0'), 'com', 'B' || lpad(n::text, 9, '0'),
      'A lamp that looks like a book, number ' || n,
      'https://m.media-amazon.com/images/I/71' || n || '._AC_SL1500_.jpg', now() + interval '1 day'
    FROM generate_series(1, $1::int / 10) n
  )
  INSERT INTO links (short_code, original_url, web_url, deep_link, canonical_url, expires_at)
  SELECT lpad(to_hex(n), 7, '0'), url, url, 'https://t.example/redirect?product_id=B', page,
    now() + interval '7 days'
  FROM generate_series(1, $1::int) n,
    LATERAL (SELECT 'https://www.amazon.com/dp/B' || lpad((n / 10)::text, 9, '0') AS page) p,
    LATERAL (SELECT page || '?tag=tapthru-20&th=1&psc=1' AS url) u
`;

const client = new pg.Client({ connectionString: databaseUrl });
await client.connect();
const { rowCount } = await client.query("SELECT FROM links LIMIT 1");
if (rowCount === 0) {
  await client.query(LOAD, [count]);
  await client.query("VACUUM ANALYZE links, products");
}
await client.end();

const logger = createLogger({ service: "bench", level: "error" });
const redis = createRequestRedis({ url: redisUrl, name: "bench", budgetMs: 10_000, logger });
await redis.start?.();
await redis.run((commands) => commands.flushall());
const since = performance.now();
const worker = spawn(
  process.execPath,
  [fileURLToPath(new URL("../src/main.ts", import.meta.url))],
  {
    stdio: ["ignore", "ignore", "inherit"],
    env: {
      TAPTHRU_ENV: "local",
      ADMIN_PORT: String(await freePort()),
      DATABASE_URL: databaseUrl,
      REDIS_CACHE_URL: redisUrl,
      REDIS_QUEUE_URL: redisUrl,
      METADATA_PAGE_FETCH: "off",
    },
  },
);
try {
  const mark = () => redis.run((commands) => commands.get(PROJECTION_KEY));
  while ((await mark()) !== "complete") {
    if (worker.exitCode !== null) throw new Error("the worker exited");
    await delay(100);
  }
  const seconds = (performance.now() - since) / 1_000;
  const keys = await redis.run((commands) => commands.dbsize());
  console.log(`${keys} keys stand ${seconds.toFixed(1)} s after the worker's start`);
} finally {
  worker.kill("SIGTERM");
  if (worker.exitCode === null) await once(worker, "exit");
  await redis.stop?.();
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  return port;
}
