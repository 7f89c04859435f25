import type { CommonQueryMethods } from "slonik";
import type { IdentityProvider } from "../accounts/identity.ts";
import type { SessionStore } from "../sessions/session-store.ts";
import { listUserSessions } from "../sessions/user-sessions.ts";
import {
  type Deletion,
  deleteSomeLinks,
  deleteUser,
  lockUser,
  markDeletionDone,
} from "./queries.ts";

/** So many are deleted in well under a statement's time. */
const LINKS_PER_BATCH = 500;

export interface ExecuteDeletionDependencies {
  db: Pick<CommonQueryMethods, "query" | "transaction">;
  identity: Pick<IdentityProvider, "remove">;
  sessionStore: Pick<SessionStore, "list" | "end">;
}

/**
 * Carries a deletion out that was requested, or what is left of it: again, or two at once, does no harm.
 * The identity goes last, so that it is there as long as anything is.
 * @throws whatever keeps it from its end
 */
export async function executeDeletion(
  deps: ExecuteDeletionDependencies,
  deletion: Deletion,
): Promise<void> {
  const { db, identity, sessionStore } = deps;
  const { userId, firebaseUid } = deletion;
  while (!(await deleteBatch(db, userId)));
  const sessions = await listUserSessions(sessionStore, deletion);
  await Promise.all(sessions.map(({ id }) => sessionStore.end(id)));
  if ((await identity.remove(firebaseUid)) === "unavailable") {
    throw new Error("The identity provider cannot be asked now");
  }
  await markDeletionDone(db, deletion);
}

/** Deletes some links or, when these are the last, the user with them. @returns whether he is gone */
function deleteBatch(db: ExecuteDeletionDependencies["db"], userId: number): Promise<boolean> {
  return db.transaction(async (transaction) => {
    if (!(await lockUser(transaction, userId))) return true;
    const found = await deleteSomeLinks(transaction, { userId, limit: LINKS_PER_BATCH });
    if (found === LINKS_PER_BATCH) return false;
    await deleteUser(transaction, userId);
    return true;
  });
}
