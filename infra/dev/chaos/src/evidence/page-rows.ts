import { withClient } from "@tapthru/postgres/with-client";

/** What Postgres holds of one page of Amazon's and of the links that show it. */
export interface PageRow {
  canonicalUrl: string;
  title: string | null;
  imageUrl: string | null;
  attempts: number;
  /** How often what is shown of it has changed. */
  revision: number;
  lastOutcome: string | null;
  /** From the first link to the page until it was read; null while it was not. */
  secondsToRead: number | null;
  /** Rows in the outbox of all its links. */
  changes: number;
  /** Of these not yet carried to the redirect records. */
  unprojected: number;
}

const PAGES = `
  SELECT canonical_url AS "canonicalUrl", title, image_url AS "imageUrl", attempts, revision,
    last_outcome AS "lastOutcome",
    extract(epoch FROM fetched_at - created_at)::float AS "secondsToRead",
    outbox.changes, outbox.unprojected
  FROM products page CROSS JOIN LATERAL (
    SELECT count(*)::int AS changes,
      count(*) FILTER (WHERE change.projected_at IS NULL)::int AS unprojected
    FROM links link JOIN link_changes change USING (short_code)
    WHERE link.canonical_url = page.canonical_url
  ) outbox
  ORDER BY canonical_url
`;

/** By canonical address. */
export function readPageRows(databaseUrl: string): Promise<Map<string, PageRow>> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<PageRow>(PAGES);
    return new Map(rows.map((row) => [row.canonicalUrl, row]));
  });
}

/** Those of these pages that were not read yet, each with what the last attempt came to. */
export function findUnread(databaseUrl: string, pages: readonly string[]): Promise<string[]> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ page: string; lastOutcome: string | null }>(
      `SELECT page, last_outcome AS "lastOutcome"
      FROM unnest($1::text[]) page LEFT JOIN products ON canonical_url = page
      WHERE fetched_at IS NULL`,
      [pages],
    );
    return rows.map(({ page, lastOutcome }) => `${page}: ${lastOutcome ?? "not tried"}`);
  });
}

export async function areRead(databaseUrl: string, pages: readonly string[]): Promise<boolean> {
  return (await findUnread(databaseUrl, pages)).length === 0;
}
