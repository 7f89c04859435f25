import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { DOMAIN_PROBLEMS, type DomainProblem, domainNoticeReasons } from "@tapthru/proto/rules/domains";
import { accountPath, paths } from "@tapthru/proto/rules/paths";
import { sql } from "slonik";
import * as z from "zod/mini";
import { type Notice, type NoticeApp, noticeRounds } from "../../emails/send-notices.ts";

const domainNotice = (host: string, reason: string, productName: string, url: string) => ({
  subject: `Your domain ${host} has a problem`,
  text: `${reason}\n\nAs long as this is so, links on ${host} may not open. ${productName} turns the domain off after seven days; its links then open under the site's own address only. Here is what to do:\n\n${url}`,
});

const EMAILS = 50;

export const sendDomainNotices = noticeRounds("domain-notices", 15_000, domainNotices);

async function domainNotices({ db, productName, publicBaseUrl }: NoticeApp): Promise<Notice[]> {
  return (await findDueNotices(db, EMAILS)).map(({ id, userId, host, email, problem }) => ({
    key: id,
    to: email,
    write: () => domainNotice(host, reasonOf(problem), productName, publicBaseUrl + accountPath(userId, paths.domains)),
    setDue: (isDue) => setNoticeDue(db, id, isDue),
    logged: { event: "domain_notice_not_sent", host },
  }));
}

function reasonOf(problem: string): string {
  const known = DOMAIN_PROBLEMS.find((name): name is DomainProblem => name === problem);
  return domainNoticeReasons[known ?? "order-refused"];
}

const DueNotice = z.object({
  id: z.int(),
  userId: z.int(),
  host: z.string(),
  email: z.string(),
  problem: z.string(),
});

function findDueNotices(db: Db<"any">, limit: number) {
  return db.any(sql.type(DueNotice)`
    SELECT id, user_id AS "userId", notice.host, email, notice.problem
    FROM due_domain_notices(${limit}) AS notice JOIN domains USING (id) ORDER BY id
  `);
}

/** @returns false if it was changed meanwhile */
async function setNoticeDue(db: Db<"query">, id: number, isDue: boolean): Promise<boolean> {
  const { rowCount } = await db.query(sql.type(z.object({}))`
    UPDATE domains SET notice_due = ${isDue} WHERE id = ${id} AND notice_due <> ${isDue}
  `);
  return rowCount === 1;
}
