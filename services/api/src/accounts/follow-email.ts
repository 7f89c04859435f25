import type { Logger } from "@tapthru/runtime/logger";
import type { CommonQueryMethods } from "slonik";
import type { Identity } from "./identity.ts";
import { type UserRow, updateEmail } from "./queries.ts";
import { uniquenessError } from "./uniqueness-error.ts";

/**
 * Stores the email address of an identity after its user has changed or verified it at the provider. Keeps the stored
 * address if the new one is not verified, because anyone could have entered it, or while another user has it.
 * @returns the user with the stored address
 */
export async function followEmail(
  { db, log }: { db: Pick<CommonQueryMethods, "maybeOne">; log: Pick<Logger, "warn"> },
  user: UserRow,
  { uid: firebaseUid, email, isEmailVerified }: Identity,
): Promise<UserRow> {
  if (email === null || !isEmailVerified) return user;
  if (email === user.email && user.emailIsVerified) return user;
  try {
    return (await updateEmail(db, { userId: user.id, firebaseUid }, email)) ?? user;
  } catch (error) {
    if (uniquenessError(error) === null) throw error;
    log.warn({ event: "email_not_updated" }, "another user has the new email address of a user");
    return user;
  }
}
