import { DOMAIN_PROBLEMS, type DomainProblem } from "@tapthru/proto/rules/domains";
import { messages } from "@tapthru/proto/rules/messages";
import { type Notice, type NoticeApp, sendNotices } from "../../emails/send-notices.ts";
import { findDueNotices, setNoticeDue } from "./queries.ts";

const BATCH = 50;

/** Sends the owners of domains that stopped working one email each. */
export function sendDomainNotices(app: NoticeApp, signal: AbortSignal): Promise<void> {
  return sendNotices(app, "domain-notices", () => domainNotices(app), signal);
}

async function domainNotices({ db, productName, publicBaseUrl }: NoticeApp): Promise<Notice[]> {
  const url = `${publicBaseUrl}/account/domains`;
  return (await findDueNotices(db, BATCH)).map(({ id, host, email, problem }) => ({
    key: id,
    to: email,
    mail: messages.domainNotice(host, reasonOf(problem), productName, url),
    setDue: (isDue) => setNoticeDue(db, id, isDue),
    logged: { event: "domain_notice_not_sent", host },
  }));
}

function reasonOf(problem: string): string {
  const known = DOMAIN_PROBLEMS.find((name): name is DomainProblem => name === problem);
  return messages.domainNoticeReasons[known ?? "order-refused"];
}
