import { messages } from "@tapthru/proto/rules/messages";
import { paths } from "@tapthru/proto/rules/paths";
import { sql } from "slonik";
import * as z from "zod/mini";
import { type Notice, type NoticeDependencies, sendNotices } from "../emails/send-notices.ts";

/** Sends each operator one email about all new reports. */
export function sendReportNotices(deps: NoticeDependencies, signal: AbortSignal): Promise<void> {
  return sendNotices(deps, () => reportNotices(deps), signal);
}

async function reportNotices({
  db,
  productName,
  publicBaseUrl,
}: NoticeDependencies): Promise<Notice[]> {
  const recipients = await findRecipients(db);
  if (recipients.length === 0) return [];
  const reports = createDueReports(db);
  const count = await countNew(db);
  const mail = messages.reportNotice(count, productName, publicBaseUrl + paths.operator);
  return recipients.map(({ email }) => ({
    to: email,
    mail,
    setDue: reports.setDue,
    logged: { event: "report_notice_not_sent" },
  }));
}

/** The new reports, which one email claims for all recipients. They are due again if no server took an email about them. */
function createDueReports(db: NoticeDependencies["db"]) {
  let claimed: readonly Report[] | null = null;
  let wasSent = false;
  return {
    async setDue(isDue: boolean): Promise<boolean> {
      if (isDue) {
        if (!wasSent && claimed !== null) await setDueAgain(db, claimed);
        claimed = null;
        return true;
      }
      // The email before was not postponed.
      wasSent ||= claimed !== null;
      claimed ??= await claim(db);
      return wasSent || claimed.length > 0;
    },
  };
}

const Recipient = z.object({ email: z.string() });

/** Empty if no report is new. */
function findRecipients(db: NoticeDependencies["db"]) {
  return db.any(sql.type(Recipient)`SELECT email FROM due_report_recipients()`);
}

async function countNew(db: NoticeDependencies["db"]): Promise<number> {
  const [row] = await db.any(sql.type(z.object({ count: z.int() }))`
    SELECT count(DISTINCT short_code)::int AS count FROM reports WHERE notice_due AND decision IS NULL
  `);
  return row?.count ?? 0;
}

const Report = z.object({ shortCode: z.string(), reason: z.string() });
type Report = z.infer<typeof Report>;

function claim(db: NoticeDependencies["db"]) {
  return db.any(sql.type(Report)`
    UPDATE reports SET notice_due = false WHERE notice_due AND decision IS NULL
    RETURNING short_code AS "shortCode", reason
  `);
}

async function setDueAgain(
  db: NoticeDependencies["db"],
  reports: readonly Report[],
): Promise<void> {
  const codes = reports.map(({ shortCode }) => shortCode);
  const reasons = reports.map(({ reason }) => reason);
  await db.query(sql.type(z.object({}))`
    UPDATE reports SET notice_due = true
    FROM unnest(${sql.array(codes, "text")}, ${sql.array(reasons, "text")}) AS claimed (code, why)
    WHERE short_code = code AND reason = why AND decision IS NULL
  `);
}
