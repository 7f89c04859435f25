import type { Logger } from "@tapthru/core/platform/logger";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { bestEffort } from "@tapthru/core/platform/redis/errors";
import type { EmailToSend } from "@tapthru/proto/jobs/catalogue";
import type { Emails } from "./built-in/emails.ts";
import { findNoticeRecipient } from "./queries.ts";

/**
 * Sends a user an email about a change with which somebody could have access to their account, if their address is confirmed. The
 * change was made, so failures are only logged.
 */
export type SendNotice = (uid: string, kind: EmailToSend["kind"]) => Promise<void>;

export function createSendNotice({
  db,
  emails,
  logger,
}: {
  db: Db<"maybeOne">;
  /** Null: this installation cannot send emails. */
  emails: Emails | null;
  logger: Logger;
}): SendNotice {
  return async (uid, kind) => {
    if (emails === null) return;
    try {
      const recipient = await findNoticeRecipient(db, uid);
      if (recipient !== null) await bestEffort(emails.sendNotice(kind, recipient));
    } catch (err) {
      logger.error(
        { event: "account_notice_not_sent", err },
        "failed to send an email about a change",
      );
    }
  };
}
