import { setTimeout as wait } from "node:timers/promises";
import { withoutActor } from "@tapthru/core/platform/audit-log";
import { attemptItem, forEachItem, isUnavailable } from "@tapthru/core/platform/failed-items";
import type { Component } from "@tapthru/core/platform/lifecycle";
import type { Logger } from "@tapthru/core/platform/logger";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import type { IdentityProvider } from "../accounts/identity.ts";
import { deleteImport, findImportIds } from "../imports/queries.ts";
import type { SessionStore } from "../sessions/session-store.ts";
import { findWebhooks, removeWebhook } from "../webhooks/queries.ts";
import {
  type Deletion,
  deleteSomeEarnings,
  deleteSomeLinks,
  deleteUser,
  findUnfinishedDeletions,
  lockUserForDeletion,
  markDeletionDone,
  purgeOldDeletions,
  removeEarningsImports,
  removeSomeActivityContent,
  requestDeletion,
} from "./queries.ts";

/** Maximum wait of a request. Deleting tens of thousands of links may take longer. */
const RESPONSE_WAIT_MS = 5_000;
/** Interval between retries of unfinished deletions. */
const RETRY_INTERVAL_MS = 30_000;

export interface AccountDeletions extends Component {
  /** Resolves when the deletion is durable and will be completed. Usually it is complete by then. */
  delete(deletion: Deletion): Promise<void>;
  /** Completes deletions that an outage or a restart interrupted. Never rejects. */
  retryUnfinished(): Promise<void>;
}

export interface AccountDeletionsDependencies extends ExecuteDeletionDependencies {
  db: ExecuteDeletionDependencies["db"];
  logger: Logger;
}

export function createAccountDeletions(deps: AccountDeletionsDependencies): AccountDeletions {
  const { db, logger } = deps;
  const stopping = new AbortController();
  const loop = { db, logger, kind: "account-deletions", signal: stopping.signal };
  let timer: NodeJS.Timeout | undefined;

  /** While something is unavailable the next round goes on with it. */
  async function attempt(deletion: Deletion): Promise<void> {
    try {
      await executeDeletion(deps, deletion);
    } catch (err) {
      if (!isUnavailable(err) && !(err instanceof ProviderUnavailableError)) throw err;
      logger.warn(
        { event: "account_deletion_incomplete", err, userId: deletion.userId },
        "account deletion incomplete",
      );
    }
  }

  async function retryUnfinished(): Promise<void> {
    try {
      await forEachItem(loop, await findUnfinishedDeletions(db), ({ userId }) => userId, attempt);
      await purgeOldDeletions(db);
    } catch (err) {
      report(err);
    }
  }

  function report(err: unknown): void {
    logger.warn({ event: "account_deletion_lookup_failed", err }, "failed to find or set aside account deletions");
  }

  function scheduleRetry(): void {
    timer = setTimeout(async () => {
      await retryUnfinished();
      if (!stopping.signal.aborted) scheduleRetry();
    }, RETRY_INTERVAL_MS);
  }

  return {
    name: "account deletions",
    async start() {
      scheduleRetry();
    },
    async stop() {
      stopping.abort();
      clearTimeout(timer);
    },
    async delete(deletion) {
      await requestDeletion(db, deletion);
      // That the user's objects are deleted follows from the request.
      const deleting = withoutActor(() => attemptItem(loop, deletion.userId, () => attempt(deletion))).catch(report);
      await Promise.race([deleting, wait(RESPONSE_WAIT_MS, undefined, { ref: false })]);
    },
    retryUnfinished,
  };
}

class ProviderUnavailableError extends Error {}

/** Deleting a batch takes well under the statement timeout. */
const LINKS_PER_BATCH = 500;
const EARNINGS_PER_BATCH = 10_000;
const ACTIVITY_PER_BATCH = 500;

interface ExecuteDeletionDependencies {
  db: Db<"any" | "exists" | "maybeOne" | "oneFirst" | "query" | "transaction">;
  identity: Pick<IdentityProvider, "remove">;
  sessionStore: Pick<SessionStore, "endAll">;
}

/**
 * Executes the remaining steps of a requested deletion. Idempotent and safe to run concurrently. Deletes the
 * identity last, so that it exists as long as any other data.
 * @throws if a step fails
 */
async function executeDeletion(deps: ExecuteDeletionDependencies, deletion: Deletion): Promise<void> {
  const { db, identity, sessionStore } = deps;
  const { userId, firebaseUid } = deletion;
  // First, so that a running import creates no more links.
  for (const id of await findImportIds(db, userId)) await deleteImport(db, id);
  // Before the links, so that no events of their deletion are recorded.
  for (const { id } of await findWebhooks(db, userId)) await removeWebhook(db, { userId, id });
  await removeEarningsImports(db, userId);
  while (await deleteSomeEarnings(db, { userId, limit: EARNINGS_PER_BATCH }));
  while (!(await deleteBatch(db, userId)));
  await removeActivityContent(db, userId);
  await sessionStore.endAll(deletion);
  if ((await identity.remove(firebaseUid)) === "unavailable") {
    throw new ProviderUnavailableError("The identity provider is unavailable");
  }
  await markDeletionDone(db, deletion);
}

async function removeActivityContent(db: Db<"oneFirst">, userId: number): Promise<void> {
  let afterId: number | null = 0;
  while (afterId !== null) {
    afterId = await removeSomeActivityContent(db, { userId, afterId, limit: ACTIVITY_PER_BATCH });
  }
}

/** Deletes a batch of links, and the user with the last batch. @returns whether the user was deleted */
function deleteBatch(db: ExecuteDeletionDependencies["db"], userId: number): Promise<boolean> {
  return db.transaction(async (transaction) => {
    if (!(await lockUserForDeletion(transaction, userId))) return true;
    const found = await deleteSomeLinks(transaction, { userId, limit: LINKS_PER_BATCH });
    if (found === LINKS_PER_BATCH) return false;
    await deleteUser(transaction, userId);
    return true;
  });
}
