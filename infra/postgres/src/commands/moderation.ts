import { insertLinkChanges } from "@tapthru/runtime/outbox";
import { withClient } from "../with-client.ts";

/** A link that visitors have reported. */
export interface ReportedLink {
  shortCode: string;
  webUrl: string;
  /** Number of reports by reason. */
  counts: Record<string, number>;
  lastReportedAt: Date;
}

/** Most reported links first. */
export async function reportedLinks(databaseUrl: string): Promise<ReportedLink[]> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<ReportedLink>(
      `SELECT short_code AS "shortCode", web_url AS "webUrl",
         jsonb_object_agg(reason, count) AS counts, max(last_reported_at) AS "lastReportedAt"
       FROM reports JOIN links USING (short_code)
       GROUP BY short_code, web_url
       ORDER BY sum(count) DESC, short_code`,
    );
    return rows;
  });
}

/**
 * Takes a link down, with all its codes: visitors get 410. Resolves its reports.
 * @param shortCode its current code or an earlier one
 * @returns false if the link is unknown or taken down already
 */
export function takeDownLink(databaseUrl: string, shortCode: string): Promise<boolean> {
  return changes(
    databaseUrl,
    `WITH link AS (
       UPDATE links SET taken_down_at = now(), revision = revision + 1
       WHERE id = find_link_id($1) AND taken_down_at IS NULL
       RETURNING short_code, revision
     ), recent AS (
       DELETE FROM recent_creates USING link WHERE recent_creates.short_code = link.short_code
     ), report AS (
       DELETE FROM reports USING link WHERE reports.short_code = link.short_code
     )
     ${insertLinkChanges.sql}`,
    shortCode,
  );
}

/** @returns false if the link is unknown or not taken down */
export function restoreLink(databaseUrl: string, shortCode: string): Promise<boolean> {
  return changes(
    databaseUrl,
    `WITH link AS (
       UPDATE links SET taken_down_at = NULL, revision = revision + 1
       WHERE id = find_link_id($1) AND taken_down_at IS NOT NULL
       RETURNING short_code, revision
     )
     ${insertLinkChanges.sql}`,
    shortCode,
  );
}

/**
 * Resolves the reports of a link without taking it down.
 * @returns false if the link has no reports
 */
export function dismissReports(databaseUrl: string, shortCode: string): Promise<boolean> {
  return changes(
    databaseUrl,
    "DELETE FROM reports USING links WHERE id = find_link_id($1) AND reports.short_code = links.short_code",
    shortCode,
  );
}

function changes(databaseUrl: string, statement: string, shortCode: string): Promise<boolean> {
  return withClient(databaseUrl, async (client) => {
    const { rowCount } = await client.query(statement, [shortCode]);
    return rowCount !== 0;
  });
}
