import { type CommonQueryMethods, UniqueIntegrityConstraintViolationError } from "slonik";
import { ApiError } from "../errors.ts";
import { findUser, insertUser, isBeingDeleted, type NewUser, type UserRow } from "./queries.ts";

type Db = Pick<CommonQueryMethods, "maybeOne" | "transaction">;

/**
 * Makes the user of an identity, or finds the one that is there.
 * @throws ApiError naming the field that somebody else has, and where the account is being deleted
 */
export async function signUp(db: Db, newUser: NewUser): Promise<{ isNew: boolean; user: UserRow }> {
  try {
    const user = await insertUnlessDeleted(db, newUser);
    if (user) return { isNew: true, user };
  } catch (error) {
    const taken = uniquenessError(error);
    const user = taken && (await findUser(db, newUser.firebaseUid));
    if (user) return { isNew: false, user };
    throw taken ?? error;
  }
  const user = await findUser(db, newUser.firebaseUid);
  if (user) return { isNew: false, user };
  throw new Error("A user stood in the way of a new one and was gone at once");
}

/** An insert may have waited for the end of a deletion, so that only afterwards can be seen that there is one. */
function insertUnlessDeleted(db: Db, newUser: NewUser): Promise<UserRow | null> {
  return db.transaction(async (transaction) => {
    const user = await insertUser(transaction, newUser);
    if (await isBeingDeleted(transaction, newUser.firebaseUid)) {
      throw new ApiError("account-deleted");
    }
    return user;
  });
}

function uniquenessError(error: unknown): ApiError | null {
  if (!(error instanceof UniqueIntegrityConstraintViolationError)) return null;
  switch (error.constraint) {
    case "users_username_key":
    case "users_username_lookalike_key":
      return new ApiError("username-taken", { field: "username" });
    case "users_email_key":
      return new ApiError("email-taken", { field: "email" });
    default:
      return null;
  }
}
