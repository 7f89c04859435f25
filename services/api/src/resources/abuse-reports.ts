import { delivered } from "@tapthru/core/events";
import * as calls from "@tapthru/proto/abuse-reports";
import { invalidBody } from "@tapthru/proto/general-errors";
import { enterShortLink } from "@tapthru/proto/rules/abuse-reasons";
import { parseShortLink } from "@tapthru/proto/rules/parse-short-link";
import { sql } from "slonik";
import * as z from "zod/mini";
import { handlers } from "../callers/handlers.ts";
import { ApiError } from "../http/errors.ts";

export const abuseReportHandlers = handlers(calls, {
  /**
   * Counts a report of an existing link, which is then open, also if one was dismissed. Webhooks of operators receive it if none was open
   * for the reason. Ignores unknown links and those taken down.
   */
  reportLink: async ({ db, publicBaseUrl }, { body: { code, reason } }) => {
    const shortCode = parseShortLink(code, new URL(publicBaseUrl).host);
    if (shortCode === null) throw new ApiError(invalidBody, { message: enterShortLink, field: "code" });
    // The lock waits for a concurrent deletion of the link, or a decision about it.
    await db.query(sql.type(z.object({}))`
      WITH link AS MATERIALIZED (
        SELECT short_code, link_url(links, web_url) AS web_url FROM links WHERE id = find_link_id(${shortCode}) AND taken_down_at IS NULL FOR SHARE
      ), report AS (
        INSERT INTO abuse_reports (short_code, reason) SELECT short_code, ${reason} FROM link
        ON CONFLICT (short_code, reason) DO UPDATE
          SET count = abuse_reports.count + 1, last_reported_at = now(), decision = NULL, decided_at = NULL,
            opened_at = CASE WHEN abuse_reports.decision IS NULL THEN abuse_reports.opened_at ELSE now() END
        RETURNING *
      ), ${delivered("link.reported", newReports)}
      SELECT
    `);
    return {};
  },
});

const newReports = sql.fragment`
  SELECT users.id AS owner_id, NULL::bigint AS link_id, jsonb_build_object(
    'shortCode', link.short_code, 'webUrl', link.web_url, 'reason', report.reason, 'count', report.count) AS data
  FROM report JOIN link USING (short_code) CROSS JOIN users
  WHERE report.opened_at = now() AND users.is_operator AND users.state = 'enabled'`;
