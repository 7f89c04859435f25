import type { CommonQueryMethods } from "slonik";
import { ApiError } from "../errors.ts";
import {
  findUser,
  insertUser,
  isBeingDeleted,
  isVerifiedByOther,
  type NewUser,
  type UserRow,
} from "./queries.ts";
import { uniquenessError } from "./uniqueness-error.ts";

type Db = Pick<CommonQueryMethods, "maybeOne" | "transaction">;

/**
 * Creates the user of an identity, or returns the existing one.
 * @throws ApiError if the username is taken, another user has verified the email address, or the account is being deleted
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
  throw new Error("The conflicting user was deleted during the sign-up");
}

/** Checks for a deletion after the insert, because the insert may have waited for that deletion to commit. */
function insertUnlessDeleted(db: Db, newUser: NewUser): Promise<UserRow | null> {
  return db.transaction(async (transaction) => {
    const user = await insertUser(transaction, newUser);
    if (await isBeingDeleted(transaction, newUser.firebaseUid)) {
      throw new ApiError("account-deleted");
    }
    if (user && (await isVerifiedByOther(transaction, newUser))) {
      throw new ApiError("email-taken", { field: "email" });
    }
    return user;
  });
}
