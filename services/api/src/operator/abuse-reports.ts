import { record } from "@tapthru/core/events";
import { resolveAbuseReports } from "@tapthru/core/links/taken-down-links";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { linkNotFound } from "@tapthru/proto/general-errors";
import * as calls from "@tapthru/proto/operator/abuse-reports";
import { ReportedLink } from "@tapthru/proto/operator/abuse-reports";
import { ABUSE_REASONS } from "@tapthru/proto/rules/abuse-reasons";
import { productImage } from "@tapthru/proto/rules/amazon/images";
import { shortUrl } from "@tapthru/proto/rules/short-url";
import { type FragmentSqlToken, sql } from "slonik";
import * as z from "zod/mini";
import { handlers } from "../callers/handlers.ts";
import { ApiError } from "../http/errors.ts";
import { ownerObject } from "./owners.ts";

const REPORTED_LINKS_MAX_COUNT = 200;

export const operatorAbuseReportHandlers = handlers(calls, {
  listReportedLinks: async ({ db, publicBaseUrl }, { query: { state = "open" } }) => {
    // Reports that are decided have no `opened_at`.
    const condition = sql.fragment`
      WHERE (report.state = 'open') = ${state === "open"}
      ORDER BY opened_at, decided_at DESC, link.id LIMIT ${REPORTED_LINKS_MAX_COUNT}
    `;
    const links = await db.any(reportedLinks(LISTED[state], condition));
    const openCount = await db.oneFirst(sql.type(z.object({ count: z.int() }))`
      SELECT count(DISTINCT short_code)::int AS count FROM open_abuse_reports
    `);
    return { links: links.map((row) => reportedLink(row, publicBaseUrl)), openCount };
  },

  decideAbuseReports: async ({ db, publicBaseUrl }, { params: { shortCode }, body: { state } }) => {
    const row = await db.transaction(async (transaction) => {
      // A statement of its own: the next one sees what another operator decided meanwhile.
      await transaction.any(sql.type(z.object({}))`
        SELECT FROM links WHERE id = find_link_id(${shortCode}) FOR NO KEY UPDATE
      `);
      const before = await findReportedLink(transaction, shortCode);
      if (before.state === state) return before;
      const { id } = before;
      const count = await resolveAbuseReports(transaction, [id], state === "open" ? null : state);
      // Otherwise it is recorded that the link was taken down, or works again.
      if (count === 0) {
        await record(transaction, "abuse-report.decided", {
          objectId: String(id),
          object: before.shortCode,
          ownerId: null,
          before: { state: before.state },
          after: { state },
        });
      }
      return findReportedLink(transaction, shortCode);
    });
    return reportedLink(row, publicBaseUrl);
  },
});

const ReportedLinkRow = z.extend(z.omit(ReportedLink, { shortUrl: true }), { id: z.int() });
type ReportedLinkRow = z.infer<typeof ReportedLinkRow>;

/** @param shortCodes a query: only the reports of these links are read */
export function reportedLinks(shortCodes: FragmentSqlToken, condition = sql.fragment``) {
  return sql.type(ReportedLinkRow)`
    SELECT link.id, link.short_code AS "shortCode", link_url(link, link.web_url) AS "webUrl",
      coalesce(link.title, product.title, link.page_title) AS title,
      coalesce(link.image_url, product.image_url) AS "imageUrl", utc_text(link.created_at) AS "createdAt",
      ${ownerObject} AS owner, counts,
      -- A link may be down with others, whatever was decided about it.
      CASE WHEN link.taken_down_at IS NOT NULL THEN 'taken-down' ELSE report.state END AS state,
      utc_text(first_reported_at) AS "firstReportedAt", utc_text(last_reported_at) AS "lastReportedAt",
      CASE WHEN report.state <> 'open' THEN utc_text(decided_at) END AS "decidedAt"
    FROM (
      SELECT short_code, jsonb_object_agg(reason, count) AS counts,
        CASE WHEN bool_or(decision IS NULL) THEN 'open'
        ELSE (array_agg(decision ORDER BY decided_at DESC))[1] END AS state,
        min(first_reported_at) AS first_reported_at, max(last_reported_at) AS last_reported_at,
        max(decided_at) AS decided_at, min(opened_at) FILTER (WHERE decision IS NULL) AS opened_at
      FROM abuse_reports WHERE short_code IN (${shortCodes}) GROUP BY short_code
    ) AS report
    JOIN links link USING (short_code) LEFT JOIN products product USING (canonical_url)
    LEFT JOIN users owner ON owner.id = link.user_id
    ${condition}
  `;
}

/** Reports that are looked at for a list: each link has one for each reason at most. */
const LISTED_REPORTS = REPORTED_LINKS_MAX_COUNT * ABUSE_REASONS.length;

const LISTED: Record<"open" | "decided", FragmentSqlToken> = {
  open: sql.fragment`
    SELECT short_code FROM open_abuse_reports ORDER BY opened_at LIMIT ${LISTED_REPORTS}
  `,
  decided: sql.fragment`
    SELECT short_code FROM abuse_reports WHERE decision IS NOT NULL ORDER BY decided_at DESC LIMIT ${LISTED_REPORTS}
  `,
};

export const codeOfLink = (shortCode: string) =>
  sql.fragment`SELECT short_code FROM links WHERE id = find_link_id(${shortCode})`;

/** @throws ApiError (link-not-found) if the link was not reported */
async function findReportedLink(db: Db<"any">, shortCode: string): Promise<ReportedLinkRow> {
  const [row] = await db.any(reportedLinks(codeOfLink(shortCode)));
  if (row === undefined) throw new ApiError(linkNotFound);
  return row;
}

function reportedLink(row: ReportedLinkRow, publicBaseUrl: string): ReportedLink {
  return {
    ...row,
    shortUrl: shortUrl(publicBaseUrl, row.shortCode),
    imageUrl: productImage(row.imageUrl),
  };
}
