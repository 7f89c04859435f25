import { withClient } from "../with-client.ts";
import { changeAsCommand, recordAction } from "./change-as-command.ts";

/** A link that visitors have reported, whose reports are open. */
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
       WHERE short_code IN (SELECT short_code FROM reports WHERE decision IS NULL)
       GROUP BY short_code, web_url
       ORDER BY sum(count) DESC, short_code`,
    );
    return rows;
  });
}

/**
 * Takes a link down, with all its codes: visitors get 410. Decides about its reports.
 * @param shortCode its current code or an earlier one
 * @returns false if the link is unknown or taken down already
 */
export function takeDownLink(databaseUrl: string, shortCode: string): Promise<boolean> {
  return decide(databaseUrl, {
    name: "links take-down",
    decision: "taken-down",
    link: "id = find_link_id($1) AND taken_down_at IS NULL",
    shortCode,
  });
}

/** Its reports are open again. @returns false if the link is unknown or not taken down */
export function restoreLink(databaseUrl: string, shortCode: string): Promise<boolean> {
  return decide(databaseUrl, {
    name: "links reinstate",
    decision: null,
    link: "id = find_link_id($1) AND taken_down_at IS NOT NULL",
    shortCode,
  });
}

/**
 * Dismisses the open reports of a link, which works on.
 * @returns false if the link has no open reports
 */
export function dismissReports(databaseUrl: string, shortCode: string): Promise<boolean> {
  return decide(databaseUrl, {
    name: "links dismiss",
    decision: "dismissed",
    link: `id = find_link_id($1) AND taken_down_at IS NULL AND EXISTS (
      SELECT FROM reports WHERE reports.short_code = links.short_code AND decision IS NULL
    )`,
    shortCode,
  });
}

interface Decision {
  /** Of the command, for the audit log. */
  name: string;
  decision: "taken-down" | "dismissed" | null;
  /** The condition for the link. */
  link: string;
  shortCode: string;
}

function decide(databaseUrl: string, { name, decision, link, shortCode }: Decision): Promise<boolean> {
  return changeAsCommand(databaseUrl, name, async (client) => {
    const { rows } = await client.query<{ id: string; code: string; changed: number }>(
      `SELECT id, short_code AS code, decide_about_links(ARRAY[id], $2) AS changed FROM links WHERE ${link}`,
      [shortCode, decision],
    );
    for (const { id: objectId, code: object, changed } of rows) {
      if (changed > 0) continue;
      // A decision that changes no link, which a trigger would record.
      const states = { before: { state: "open" }, after: { state: decision } };
      await recordAction(client, { action: "report.decided", objectId, object, ...states });
    }
    return rows.length > 0;
  });
}
