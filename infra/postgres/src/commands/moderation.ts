import type pg from "pg";
import { withClient } from "../with-client.ts";

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

function decide(
  databaseUrl: string,
  { name, decision, link, shortCode }: Decision,
): Promise<boolean> {
  return withClient(databaseUrl, async (client) => {
    await client.query("BEGIN");
    await client.query("SELECT set_config('tapthru.actor', $1, true)", [
      JSON.stringify({ kind: "command", name }),
    ]);
    const { rows } = await client.query<{ id: string; code: string; changed: number }>(
      `SELECT id, short_code AS code, decide_about_links(ARRAY[id], $2) AS changed FROM links WHERE ${link}`,
      [shortCode, decision],
    );
    for (const { id, code, changed } of rows) {
      if (changed === 0) await recordDecision(client, { name, id, code, decision });
    }
    await client.query("COMMIT");
    return rows.length > 0;
  });
}

/** A decision that changes no link, which a trigger would record. */
async function recordDecision(
  client: Pick<pg.Client, "query">,
  { name, id, code, decision }: { name: string; id: string; code: string; decision: string | null },
): Promise<void> {
  await client.query(
    `INSERT INTO audit_log (actor, actor_name, action, object_id, object, before, after)
     VALUES ('command', $1, 'report.decided', $2, $3, '{"state": "open"}', jsonb_build_object('state', $4::text))`,
    [name, id, code, decision],
  );
}
