import { insertLinkChanges } from "@tapthru/runtime/link-changes";
import { withClient } from "./with-client.ts";

/** A link that visitors have reported. */
export interface ReportedLink {
  shortCode: string;
  webUrl: string;
  /** How often, by reason. */
  counts: Record<string, number>;
  lastReportedAt: Date;
}

/** Those reported most often first. */
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
 * From now on visitors are told that the link is gone; its reports are dealt with.
 * @returns false where there is no such link, or it is down already
 */
export function takeDownLink(databaseUrl: string, shortCode: string): Promise<boolean> {
  return changes(
    databaseUrl,
    `WITH link AS (
       UPDATE links SET taken_down_at = now(), revision = revision + 1
       WHERE short_code = $1 AND taken_down_at IS NULL
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

/** @returns false where there is no such link, or it is not down */
export function restoreLink(databaseUrl: string, shortCode: string): Promise<boolean> {
  return changes(
    databaseUrl,
    `WITH link AS (
       UPDATE links SET taken_down_at = NULL, revision = revision + 1
       WHERE short_code = $1 AND taken_down_at IS NOT NULL
       RETURNING short_code, revision
     )
     ${insertLinkChanges.sql}`,
    shortCode,
  );
}

/**
 * Nothing was wrong with the link.
 * @returns false where nobody had reported it
 */
export function dismissReports(databaseUrl: string, shortCode: string): Promise<boolean> {
  return changes(databaseUrl, "DELETE FROM reports WHERE short_code = $1", shortCode);
}

function changes(databaseUrl: string, statement: string, shortCode: string): Promise<boolean> {
  return withClient(databaseUrl, async (client) => {
    const { rowCount } = await client.query(statement, [shortCode]);
    return rowCount !== 0;
  });
}
