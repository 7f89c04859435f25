import { withClient } from "@tapthru/postgres/with-client";

/** A row of the `products` table, with counts of the changes of its links. */
export interface PageRow {
  canonicalUrl: string;
  title: string | null;
  imageUrl: string | null;
  attempts: number;
  /** Number of changes of the product's data. */
  revision: number;
  lastOutcome: string | null;
  /** Time from the first link to the page until the page was fetched; null before that. */
  secondsToFetch: number | null;
  /** Number of outbox rows of all links to the page. */
  changes: number;
  /** Number of these outbox rows that are not relayed to Redis yet. */
  unprojected: number;
}

const SELECT_PAGES = `
  SELECT canonical_url AS "canonicalUrl", title, image_url AS "imageUrl", attempts, revision,
    last_outcome AS "lastOutcome",
    extract(epoch FROM fetched_at - created_at)::float AS "secondsToFetch",
    outbox.changes, outbox.unprojected
  FROM products page CROSS JOIN LATERAL (
    SELECT count(*)::int AS changes,
      count(*) FILTER (WHERE change.projected_at IS NULL)::int AS unprojected
    FROM links link JOIN link_changes change USING (short_code)
    WHERE link.canonical_url = page.canonical_url
  ) outbox
  ORDER BY canonical_url
`;

/** Reads the rows of `products` by canonical URL. */
export function readPageRows(databaseUrl: string): Promise<Map<string, PageRow>> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<PageRow>(SELECT_PAGES);
    return new Map(rows.map((row) => [row.canonicalUrl, row]));
  });
}

/** Pages that are not fetched yet, each with the outcome of its last attempt. */
export function findUnfetched(databaseUrl: string, pages: readonly string[]): Promise<string[]> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ page: string; lastOutcome: string | null }>(
      `SELECT page, last_outcome AS "lastOutcome"
      FROM unnest($1::text[]) page LEFT JOIN products ON canonical_url = page
      WHERE fetched_at IS NULL`,
      [pages],
    );
    return rows.map(({ page, lastOutcome }) => `${page}: ${lastOutcome ?? "not attempted"}`);
  });
}

export async function areFetched(databaseUrl: string, pages: readonly string[]): Promise<boolean> {
  return (await findUnfetched(databaseUrl, pages)).length === 0;
}
