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

/** Sends the owners of channels whose tags arrive less often one email each. */
export async function sendChannelNotices(
  { db, mailer, publicBaseUrl, productName, logger }: NoticeDependencies,
  signal: AbortSignal,
): Promise<void> {
  if (mailer === null) return;
  for (const notice of await findDueNotices(db, BATCH)) {
    // Before the email: it is not known whether a server accepted one whose connection broke.
    if (signal.aborted || !(await setNoticeDue(db, notice, false))) return;
    const { channelId, name, marketplace, email } = notice;
    const mail = messages.channelNotice({
      name,
      store: `amazon.${marketplace}`,
      productName,
      url: `${publicBaseUrl}/earnings`,
    });
    try {
      await mailer.send(email, { ...mail, headers: { "Auto-Submitted": "auto-generated" } });
    } catch (error) {
      const sendError = SendError.parse(error);
      const { result, isOfRecipient } = sendFailure(sendError);
      logger.warn(
        { event: "channel_notice_not_sent", channelId, result, ...sendError },
        "an email was not sent",
      );
      if (result === "postponed") await setNoticeDue(db, notice, true);
      if (!isOfRecipient) return;
    }
  }
}
