import { DOMAIN_PROBLEMS, type DomainProblem } from "@tapthru/proto/rules/domains";
import { messages } from "@tapthru/proto/rules/messages";
import type { Logger } from "@tapthru/runtime/logger";
import type { CommonQueryMethods } from "slonik";
import { type Mailer, SendError, sendFailure } from "../emails/mailer.ts";
import { findDueNotices, setNoticeDue } from "./queries.ts";

export interface NoticeDependencies {
  db: Pick<CommonQueryMethods, "any" | "query">;
  /** Null: no emails are sent. */
  mailer: Mailer | null;
  publicBaseUrl: string;
  productName: string;
  logger: Pick<Logger, "warn">;
}

const BATCH = 50;

/** Sends the owners of domains that stopped working one email each. */
export async function sendNotices(
  { db, mailer, publicBaseUrl, productName, logger }: NoticeDependencies,
  signal: AbortSignal,
): Promise<void> {
  if (mailer === null) return;
  for (const { id, host, email, problem } of await findDueNotices(db, BATCH)) {
    // Before the email: it is not known whether a server accepted one whose connection broke.
    if (signal.aborted || !(await setNoticeDue(db, id, false))) return;
    try {
      await mailer.send(email, {
        ...messages.domainNotice(
          host,
          reasonOf(problem),
          productName,
          `${publicBaseUrl}/account/domains`,
        ),
        headers: { "Auto-Submitted": "auto-generated" },
      });
    } catch (error) {
      const sendError = SendError.parse(error);
      const { result, isOfRecipient } = sendFailure(sendError);
      logger.warn(
        { event: "domain_notice_not_sent", host, result, ...sendError },
        "an email was not sent",
      );
      if (result === "postponed") await setNoticeDue(db, id, true);
      if (!isOfRecipient) return;
    }
  }
}

function reasonOf(problem: string): string {
  const known = DOMAIN_PROBLEMS.find((name): name is DomainProblem => name === problem);
  return messages.domainNoticeReasons[known ?? "order-refused"];
}
