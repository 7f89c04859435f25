import { setTimeout as wait } from "node:timers/promises";
import type { Component } from "@tapthru/runtime/lifecycle";
import type { Logger } from "@tapthru/runtime/logger";
import type { CommonQueryMethods } from "slonik";
import { type ExecuteDeletionDependencies, executeDeletion } from "./execute-deletion.ts";
import {
  type Deletion,
  findUnfinishedDeletions,
  purgeOldDeletions,
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
  db: Pick<CommonQueryMethods, "any" | "maybeOne" | "query" | "transaction">;
  logger: Logger;
}

export function createAccountDeletions(deps: AccountDeletionsDependencies): AccountDeletions {
  const { db, logger } = deps;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  async function attempt(deletion: Deletion): Promise<void> {
    try {
      await executeDeletion(deps, deletion);
    } catch (err) {
      logger.warn(
        { event: "account_deletion_incomplete", err, userId: deletion.userId },
        "account deletion incomplete",
      );
    }
  }

  async function retryUnfinished(): Promise<void> {
    try {
      for (const deletion of await findUnfinishedDeletions(db)) {
        if (isStopped) return;
        await attempt(deletion);
      }
      await purgeOldDeletions(db);
    } catch (err) {
      logger.warn(
        { event: "account_deletion_lookup_failed", err },
        "failed to look for incomplete account deletions",
      );
    }
  }

  function scheduleRetry(): void {
    timer = setTimeout(async () => {
      await retryUnfinished();
      if (!isStopped) scheduleRetry();
    }, RETRY_INTERVAL_MS);
  }

  return {
    name: "account deletions",
    async start() {
      scheduleRetry();
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
    },
    async delete(deletion) {
      await requestDeletion(db, deletion);
      await Promise.race([attempt(deletion), wait(RESPONSE_WAIT_MS, undefined, { ref: false })]);
    },
    retryUnfinished,
  };
}
