import { record } from "@tapthru/core/events";
import type { Logger } from "@tapthru/core/platform/logger";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { bestEffort } from "@tapthru/core/platform/redis/errors";
import type { EventName } from "@tapthru/proto/events";
import type { EmailToSend } from "@tapthru/proto/jobs/catalogue";
import { actAsUser } from "../callers/request-actor.ts";
import { findNoticeRecipient, findUser } from "../callers/users.ts";
import type { Emails } from "./built-in/emails.ts";

/**
 * Sends a user an email about a change with which another person could have access to their account, if their address is confirmed. The
 * change was made, so failures are only logged.
 */
export type SendNotice = (uid: string, kind: EmailToSend["kind"]) => Promise<void>;

/** @param emails null: this installation cannot send emails */
export function createSendNotice(db: Db<"maybeOne">, emails: Emails | null, logger: Logger) {
  const sendNotice: SendNotice = async (uid, kind) => {
    if (emails === null) return;
    try {
      const recipient = await findNoticeRecipient(db, uid);
      if (recipient !== null) await bestEffort(emails.sendNotice(kind, recipient));
    } catch (err) {
      logger.error({ event: "account_notice_not_sent", err }, "failed to send an email about a change");
    }
  };
  return sendNotice;
}

/** How users log in; the library keeps it on connections of its own. The email about it; null: none. */
const LOGIN_CHANGES = {
  "email.confirmed": null,
  "passkey.created": "passkey-created",
  "passkey.deleted": null,
  "password.changed": "password-changed",
  "password.reset": "password-changed",
  "recovery-codes.replaced": null,
  "two-factor.enabled": "two-factor-enabled",
  "two-factor.disabled": "two-factor-disabled",
} as const satisfies Partial<Record<EventName, EmailToSend["kind"] | null>>;

/**
 * Records what the library just changed, and sends an email about it. It was changed: failures are only logged. An identity without
 * a user has no activity.
 */
export async function reportChange(
  api: { db: Db<"maybeOne" | "query">; sendNotice: SendNotice; logger: Logger },
  uid: string,
  event: keyof typeof LOGIN_CHANGES,
): Promise<void> {
  await afterChange(api, async () => {
    const user = await findUser(api.db, uid);
    if (user === null) return;
    const { id, username } = user;
    await actAsUser(id, () => record(api.db, event, { objectId: String(id), object: username, ownerId: id }));
  });
  const kind = LOGIN_CHANGES[event];
  if (kind !== null) await api.sendNotice(uid, kind);
}

/** Does what follows from a change. As that was made, it is not reported as failed. @returns whether it was done */
export async function afterChange({ logger }: { logger: Logger }, work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (err) {
    logger.error({ event: "login_change_incomplete", err }, "failed to do what follows from a changed login");
    return false;
  }
}
