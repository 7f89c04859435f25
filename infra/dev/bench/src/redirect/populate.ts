import { withClient } from "@tapthru/postgres/with-client";
import { type LiveRecord, redirectKey } from "@tapthru/proto/redirect/record";
import { Redis } from "ioredis";
import { codeOf, KNOWN_CODE_LETTERS, urlOf } from "./codes.ts";

const BATCH = 10_000;
const DAYS_30_MS = 30 * 86_400_000;

/** Writes the redirect records of the links with numbers in [from, to) to Redis. */
export async function fillRedis(port: number, from: number, to: number): Promise<void> {
  const redis = new Redis({ port });
  for (let first = from; first < to; first += BATCH) {
    const pipeline = redis.pipeline();
    for (let number = first; number < Math.min(first + BATCH, to); number++) {
      const text = JSON.stringify(recordOf(number));
      pipeline.set(redirectKey(codeOf(number)), text, "PX", DAYS_30_MS);
    }
    await pipeline.exec();
  }
  redis.disconnect();
}

function recordOf(number: number): LiveRecord {
  return {
    state: "live",
    revision: 1,
    webUrl: urlOf(number),
    expiresAt: null,
    title: `A lamp that looks like a book, number ${number}`,
    description: null,
    imageUrl: `https://m.media-amazon.com/images/I/71${number}._AC_SL1500_.jpg`,
    siteName: null,
  };
}

/** Inserts the links with numbers below `count` into Postgres, without outbox rows. Existing links are kept. */
export function fillPostgres(databaseUrl: string, count: number): Promise<void> {
  return withClient(databaseUrl, async (client) => {
    await client.query(
      `INSERT INTO links (short_code, original_url, web_url, deep_link, expires_at)
      SELECT translate(lpad(n::text, 7, '0'), '0123456789', '${KNOWN_CODE_LETTERS}'), url, url,
        'http://localhost/redirect?product_id=B000000000', NULL
      FROM generate_series(0, $1::int - 1) n,
        LATERAL (SELECT 'https://www.amazon.com/dp/B' || lpad(n::text, 9, '0')
          || '?tag=tapthru-20&th=1&psc=1') AS destination (url)
      ON CONFLICT DO NOTHING`,
      [count],
    );
    await client.query("VACUUM ANALYZE links");
  });
}
