import { recordAction } from "@tapthru/core/platform/audit-log";
import type { Logger } from "@tapthru/core/platform/logger";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import type { EmailToSend } from "@tapthru/proto/jobs/catalogue";
import { actAsUser } from "../../http/request-actor.ts";
import type { SendNotice } from "../notices.ts";
import { findUser } from "../queries.ts";

/** How users log in; the library keeps it on connections of its own. The email about it; null: none. */
const LOGIN_CHANGES = {
  "display-name.changed": null,
  "email.confirmed": null,
  "passkey.created": "passkey-created",
  "passkey.deleted": null,
  "password.changed": "password-changed",
  "password.reset": "password-changed",
  "recovery-codes.replaced": null,
  "two-factor.enabled": "two-factor-enabled",
  "two-factor.disabled": "two-factor-disabled",
} as const satisfies Record<string, EmailToSend["kind"] | null>;

/** Does what follows from a change. As that was made, it is not reported as failed. */
export async function afterChange(logger: Logger, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (err) {
    logger.error(
      { event: "login_change_incomplete", err },
      "failed to do what follows from a changed login",
    );
  }
}

/**
 * Records what the library just changed, and sends an email about it. It was changed: failures are only logged. An identity without
 * a user has no activity.
 */
export type ReportChange = (uid: string, action: keyof typeof LOGIN_CHANGES) => Promise<void>;

export function createReportChange({
  db,
  sendNotice,
  logger,
}: {
  db: Db<"maybeOne" | "query">;
  sendNotice: SendNotice;
  logger: Logger;
}): ReportChange {
  return async (uid, action) => {
    await afterChange(logger, async () => {
      const user = await findUser(db, uid);
      if (user === null) return;
      const { id, username } = user;
      await actAsUser(id, () =>
        recordAction(db, { action, objectId: String(id), object: username, ownerId: id }),
      );
    });
    const kind = LOGIN_CHANGES[action];
    if (kind !== null) await sendNotice(uid, kind);
  };
}
