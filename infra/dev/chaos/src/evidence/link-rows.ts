import { withClient } from "@tapthru/postgres/with-client";

export interface LinkRows {
  /** Short codes by the exact URL. If a URL has two links, its last code. */
  codeByUrl: ReadonlyMap<string, string>;
  /** URLs with two links. */
  duplicates: string[];
  /** Codes of links without an outbox row. */
  withoutOutboxRow: string[];
}

/** Reads all links from Postgres. */
export function readLinkRows(databaseUrl: string): Promise<LinkRows> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ webUrl: string; shortCode: string; hasChange: boolean }>(`
      SELECT web_url AS "webUrl", short_code AS "shortCode",
        EXISTS (SELECT FROM link_changes change WHERE change.short_code = link.short_code)
          AS "hasChange"
      FROM links link
    `);
    const codeByUrl = new Map(rows.map(({ webUrl, shortCode }) => [webUrl, shortCode]));
    return {
      codeByUrl,
      duplicates: rows
        .filter(({ webUrl, shortCode }) => codeByUrl.get(webUrl) !== shortCode)
        .map(({ webUrl }) => webUrl),
      withoutOutboxRow: rows
        .filter(({ hasChange }) => !hasChange)
        .map(({ shortCode }) => shortCode),
    };
  });
}

/** Returns the URLs that have a link. */
export function findUrlsWithLink(
  databaseUrl: string,
  urls: readonly string[],
): Promise<Set<string>> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ webUrl: string }>(
      'SELECT web_url AS "webUrl" FROM links WHERE web_url = ANY($1)',
      [urls],
    );
    return new Set(rows.map(({ webUrl }) => webUrl));
  });
}

/** The longest time that an outbox row waited for the relay to Redis. */
export function longestProjectionSeconds(databaseUrl: string): Promise<number> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ seconds: number }>(
      `SELECT extract(epoch FROM max(coalesce(projected_at, now()) - created_at))::float AS seconds
      FROM link_changes`,
    );
    return rows[0]?.seconds ?? Number.NaN;
  });
}

/** Whether all outbox rows are relayed to Redis, or those of `codes`. */
export function isOutboxProjected(
  databaseUrl: string,
  codes: readonly string[] | null = null,
): Promise<boolean> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query(
      `SELECT FROM link_changes
      WHERE projected_at IS NULL AND ($1::text[] IS NULL OR short_code = ANY($1)) LIMIT 1`,
      [codes],
    );
    return rows.length === 0;
  });
}

/** Codes of the links of a URL. */
export function codesOfUrl(databaseUrl: string, url: string): Promise<string[]> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ code: string }>(
      "SELECT short_code AS code FROM links WHERE web_url = $1",
      [url],
    );
    return rows.map(({ code }) => code);
  });
}
