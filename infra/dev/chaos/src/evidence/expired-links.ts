import { withClient } from "@tapthru/postgres/with-client";

/** SQL for the code of the nth expired link: its digits mapped to the alphabet of codes. */
const CODE = "translate(lpad(n::text, 7, '0'), '0123456789', 'abcdefghjk')";

/** Inserts expired anonymous links into Postgres and returns their codes. */
export function insertExpiredLinks(databaseUrl: string, count: number): Promise<string[]> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ shortCode: string }>(
      `INSERT INTO links (short_code, original_url, web_url, deep_link, expires_at)
      SELECT ${CODE}, page, page, 'http://localhost/redirect?product_id=B000000000',
        now() - interval '1 minute'
      FROM generate_series(1, $1) n, (VALUES ('https://www.amazon.com/dp/B000000000')) pages (page)
      RETURNING short_code AS "shortCode"`,
      [count],
    );
    return rows.map(({ shortCode }) => shortCode);
  });
}

export function countExpiredLinks(databaseUrl: string): Promise<number> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ count: number }>(
      "SELECT count(*)::int AS count FROM links WHERE expires_at <= now()",
    );
    return rows[0]?.count ?? 0;
  });
}

/** Finds codes that are neither links nor completely deleted (retired, with an outbox row). */
export function findPartlyDeleted(
  databaseUrl: string,
  codes: readonly string[],
): Promise<string[]> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ shortCode: string }>(
      `SELECT code AS "shortCode"
      FROM unnest($1::text[]) code
        LEFT JOIN links ON links.short_code = code
        LEFT JOIN retired_codes retired ON retired.short_code = code
        LEFT JOIN link_changes change ON change.short_code = code
      WHERE (links IS NULL) <> (retired.short_code IS NOT NULL)
        OR (retired.short_code IS NULL) <> (change.short_code IS NULL)`,
      [codes],
    );
    return rows.map(({ shortCode }) => shortCode);
  });
}
