import type { CommonQueryMethods } from "slonik";
import { ApiError } from "../errors.ts";
import type { LiveSession } from "../sessions/sessions.ts";
import { findUser, type UserRow } from "./queries.ts";

/**
 * Finds the user of a session. After Postgres lost rows, the row of the user may have another id, and the id of the
 * session may be another user's.
 * @throws ApiError (login-required) if the user does not exist, is being deleted or has another id
 */
export async function findSessionUser(
  db: Pick<CommonQueryMethods, "maybeOne">,
  { userId, firebaseUid }: Pick<LiveSession, "userId" | "firebaseUid">,
): Promise<UserRow> {
  const user = await findUser(db, firebaseUid);
  if (user?.id !== userId) throw new ApiError("login-required");
  return user;
}
