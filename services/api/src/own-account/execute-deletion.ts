import type { CommonQueryMethods } from "slonik";
import type { IdentityProvider } from "../accounts/identity.ts";
import { deleteImport, findImportIds } from "../imports/queries.ts";
import type { SessionStore } from "../sessions/session-store.ts";
import { listUserSessions } from "../sessions/user-sessions.ts";
import { removeWebhook } from "../webhooks/change-webhooks.ts";
import { findWebhooks } from "../webhooks/queries.ts";
import {
  type Deletion,
  deleteSomeLinks,
  deleteUser,
  lockUserAndLinks,
  markDeletionDone,
} from "./queries.ts";

/** Deleting a batch takes well under the statement timeout. */
const LINKS_PER_BATCH = 500;

export interface ExecuteDeletionDependencies {
  db: Pick<CommonQueryMethods, "any" | "maybeOne" | "query" | "transaction">;
  identity: Pick<IdentityProvider, "remove">;
  sessionStore: Pick<SessionStore, "list" | "end">;
}

/**
 * Executes the remaining steps of a requested deletion. Idempotent and safe to run concurrently. Deletes the
 * identity last, so that it exists as long as any other data.
 * @throws if a step fails
 */
export async function executeDeletion(
  deps: ExecuteDeletionDependencies,
  deletion: Deletion,
): Promise<void> {
  const { db, identity, sessionStore } = deps;
  const { userId, firebaseUid } = deletion;
  // First, so that a running import creates no more links.
  for (const id of await findImportIds(db, userId)) await deleteImport(db, id);
  // Before the links, so that no events of their deletion are recorded.
  for (const { id } of await findWebhooks(db, userId)) await removeWebhook(db, { userId, id });
  while (!(await deleteBatch(db, userId)));
  const sessions = await listUserSessions(sessionStore, deletion);
  await Promise.all(sessions.map(({ id }) => sessionStore.end(id)));
  if ((await identity.remove(firebaseUid)) === "unavailable") {
    throw new Error("The identity provider is unavailable");
  }
  await markDeletionDone(db, deletion);
}

/** Deletes a batch of links, and the user with the last batch. @returns whether the user was deleted */
function deleteBatch(db: ExecuteDeletionDependencies["db"], userId: number): Promise<boolean> {
  return db.transaction(async (transaction) => {
    if (!(await lockUserAndLinks(transaction, userId))) return true;
    const found = await deleteSomeLinks(transaction, { userId, limit: LINKS_PER_BATCH });
    if (found === LINKS_PER_BATCH) return false;
    await deleteUser(transaction, userId);
    return true;
  });
}
