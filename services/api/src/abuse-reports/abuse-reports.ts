import * as calls from "@tapthru/proto/abuse-reports";
import { invalidBody } from "@tapthru/proto/general-errors";
import { enterShortLink } from "@tapthru/proto/rules/abuse-reasons";
import { parseShortLink } from "@tapthru/proto/rules/parse-short-link";
import { sql } from "slonik";
import * as z from "zod/mini";
import { handlers } from "../calls/handlers.ts";
import { ApiError } from "../http/errors.ts";

export const abuseReportHandlers = handlers(calls, {
  /** Counts a report of an existing link, which is then open, also if one was dismissed. Ignores unknown links and those taken down. */
  reportLink: async ({ db, publicBaseUrl }, { body: { code, reason } }) => {
    const shortCode = parseShortLink(code, new URL(publicBaseUrl).host);
    if (shortCode === null) throw new ApiError(invalidBody, { message: enterShortLink, field: "code" });
    // The lock waits for a concurrent deletion of the link, or a decision about it.
    await db.query(sql.type(z.object({}))`
      INSERT INTO abuse_reports (short_code, reason)
      SELECT short_code, ${reason} FROM links
      WHERE id = find_link_id(${shortCode}) AND taken_down_at IS NULL FOR SHARE
      ON CONFLICT (short_code, reason) DO UPDATE
        SET count = abuse_reports.count + 1, last_reported_at = now(), decision = NULL, decided_at = NULL,
          opened_at = CASE WHEN abuse_reports.decision IS NULL THEN abuse_reports.opened_at ELSE now() END,
          notice_due = abuse_reports.notice_due OR abuse_reports.decision IS NOT NULL
    `);
    return {};
  },
});
