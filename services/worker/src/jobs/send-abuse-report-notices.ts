import { createHash } from "node:crypto";
import { paths } from "@tapthru/proto/rules/paths";
import { sql } from "slonik";
import * as z from "zod/mini";
import type { App } from "../app.ts";
import { type Notice, type NoticeApp, noticeRounds } from "../emails/send-notices.ts";

const abuseReportNotice = (count: number, productName: string, url: string) => ({
  subject: count === 1 ? `A link of ${productName} was reported` : `${count} links of ${productName} were reported`,
  text: `Visitors reported ${count === 1 ? "a link" : `${count} links`}. Please decide whether to take ${count === 1 ? "it" : "them"} down:\n\n${url}`,
});

/** Sends the operators one email about all links that were reported since the last one, at most every ten minutes. */
export const sendAbuseReportNotices = noticeRounds("send-abuse-report-notices", 60_000, abuseReportNotices);

async function abuseReportNotices({ db, productName, publicBaseUrl }: NoticeApp): Promise<Notice[]> {
  const recipients = await findRecipients(db);
  if (recipients.length === 0) return [];
  const abuseReports = await findNew(db);
  const count = new Set(abuseReports.map(({ shortCode }) => shortCode)).size;
  const mail = abuseReportNotice(count, productName, publicBaseUrl + paths.operator);
  return recipients.map(({ email }) => ({
    // Not the address itself: it would be in the log.
    key: createHash("sha256").update(email).digest("hex").slice(0, 16),
    to: email,
    write: () => mail,
    setDue: async () => true,
    // After the first email: a worker that is killed sends it twice rather than never.
    settle: () => setNoticed(db, abuseReports),
    logged: { event: "abuse_report_notice_not_sent" },
  }));
}

const Recipient = z.object({ email: z.string() });

/** Empty if no abuse report is new, or the last email was less than ten minutes ago. */
function findRecipients(db: App["db"]) {
  return db.any(sql.type(Recipient)`SELECT email FROM due_abuse_report_recipients()`);
}

const AbuseReport = z.object({ shortCode: z.string(), reason: z.string() });
type AbuseReport = z.infer<typeof AbuseReport>;

function findNew(db: App["db"]) {
  return db.any(sql.type(AbuseReport)`
    SELECT short_code AS "shortCode", reason FROM open_abuse_reports WHERE notice_due
  `);
}

async function setNoticed(db: App["db"], abuseReports: readonly AbuseReport[]): Promise<void> {
  const codes = abuseReports.map(({ shortCode }) => shortCode);
  const reasons = abuseReports.map(({ reason }) => reason);
  await db.query(sql.type(z.object({}))`
    UPDATE abuse_reports SET notice_due = false, noticed_at = now()
    FROM unnest(${sql.array(codes, "text")}, ${sql.array(reasons, "text")}) AS sent (code, why)
    WHERE short_code = code AND reason = why AND notice_due
  `);
}
