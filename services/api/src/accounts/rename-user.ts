import type { CommonQueryMethods } from "slonik";
import { ApiError } from "../errors.ts";
import type { LiveSession } from "../sessions/sessions.ts";
import { type UserRow, updateUsername } from "./queries.ts";
import { uniquenessError } from "./uniqueness-error.ts";

/**
 * Changes the username of a session's user.
 * @throws ApiError if the name is taken, or the user does not exist or is being deleted
 */
export async function renameUser(
  db: Pick<CommonQueryMethods, "maybeOne">,
  session: Pick<LiveSession, "userId" | "firebaseUid">,
  username: string,
): Promise<UserRow> {
  const user = await updateUsername(db, session, username).catch((error) => {
    throw uniquenessError(error) ?? error;
  });
  if (user === null) throw new ApiError("login-required");
  return user;
}
