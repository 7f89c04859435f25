import { withClient } from "@tapthru/postgres/with-client";

export interface LinkRows {
  /** By the exact address; where there are two, of the last. */
  codeOf: ReadonlyMap<string, string>;
  /** Addresses of which there are two links. */
  doubled: string[];
  /** Codes of links whose making left no row in the outbox. */
  withoutChange: string[];
}

/** What Postgres holds of the links. */
export function readLinkRows(databaseUrl: string): Promise<LinkRows> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ webUrl: string; shortCode: string; hasChange: boolean }>(`
      SELECT web_url AS "webUrl", short_code AS "shortCode",
        EXISTS (SELECT FROM link_changes change WHERE change.short_code = link.short_code)
          AS "hasChange"
      FROM links link
    `);
    const codeOf = new Map(rows.map(({ webUrl, shortCode }) => [webUrl, shortCode]));
    return {
      codeOf,
      doubled: rows
        .filter(({ webUrl, shortCode }) => codeOf.get(webUrl) !== shortCode)
        .map(({ webUrl }) => webUrl),
      withoutChange: rows.filter(({ hasChange }) => !hasChange).map(({ shortCode }) => shortCode),
    };
  });
}

/** Those of these addresses that have a link. */
export function findLinked(databaseUrl: string, urls: readonly string[]): Promise<Set<string>> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ webUrl: string }>(
      'SELECT web_url AS "webUrl" FROM links WHERE web_url = ANY($1)',
      [urls],
    );
    return new Set(rows.map(({ webUrl }) => webUrl));
  });
}

/** The longest that a row of the outbox has waited until it was in the redirect records. */
export function slowestProjection(databaseUrl: string): Promise<number> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ seconds: number }>(
      `SELECT extract(epoch FROM max(coalesce(projected_at, now()) - created_at))::float AS seconds
      FROM link_changes`,
    );
    return rows[0]?.seconds ?? Number.NaN;
  });
}

/** How many rows of the outbox were not carried to the redirect records yet. */
export function countUnprojected(databaseUrl: string): Promise<number> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ count: number }>(
      "SELECT count(*)::int AS count FROM link_changes WHERE projected_at IS NULL",
    );
    return rows[0]?.count ?? 0;
  });
}
