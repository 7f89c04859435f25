import { paths } from "@tapthru/proto/rules/paths";
import { sql } from "slonik";
import * as z from "zod/mini";
import { type Notice, type NoticeApp, noticeRounds } from "../emails/send-notices.ts";

const abuseReportNotice = (count: number, productName: string, url: string) => ({
  subject: count === 1 ? `A link of ${productName} was reported` : `${count} links of ${productName} were reported`,
  text: `Visitors reported ${count === 1 ? "a link" : `${count} links`}. Please decide whether to take ${count === 1 ? "it" : "them"} down:\n\n${url}`,
});

/** Sends each operator one email about all links that were reported since their last one, at most every ten minutes. */
export const sendAbuseReportNotices = noticeRounds("send-abuse-report-notices", 60_000, abuseReportNotices);

const Recipient = z.object({ id: z.int(), email: z.string(), count: z.int(), at: z.string() });

async function abuseReportNotices({ db, productName, publicBaseUrl }: NoticeApp): Promise<Notice[]> {
  const recipients = await db.any(sql.type(Recipient)`
    SELECT id, email, link_count AS count, now()::text AS at FROM due_abuse_report_recipients()
  `);
  return recipients.map(({ id, email, count, at }) => ({
    key: id,
    to: email,
    write: () => abuseReportNotice(count, productName, publicBaseUrl + paths.operator),
    setDue: async () => true,
    // After the email: a worker that is killed sends it twice rather than never.
    settle: async () => {
      await db.query(sql.type(z.object({}))`
        UPDATE users SET reports_noticed_at = ${at}::timestamptz WHERE id = ${id}
      `);
    },
    logged: { event: "abuse_report_notice_not_sent" },
  }));
}
