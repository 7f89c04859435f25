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

/** So long a request waits for the end; tens of thousands of links may take longer. */
const PATIENCE_MS = 5_000;
/** Until what could not be finished is tried again. */
const ROUND_MS = 30_000;

export interface AccountDeletions extends Component {
  /** Once it resolves the account will be deleted, whatever fails; mostly it is already. */
  delete(deletion: Deletion): Promise<void>;
  /** Carries out what was left unfinished, as by an outage or the end of a process. Never rejects. */
  finish(): Promise<void>;
}

export interface AccountDeletionsNeeds extends ExecuteDeletionDependencies {
  db: Pick<CommonQueryMethods, "any" | "query" | "transaction">;
  logger: Logger;
}

export function createAccountDeletions(needs: AccountDeletionsNeeds): AccountDeletions {
  const { db, logger } = needs;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  async function attempt(deletion: Deletion): Promise<void> {
    try {
      await executeDeletion(needs, deletion);
    } catch (err) {
      logger.warn(
        { event: "account_deletion_incomplete", err, userId: deletion.userId },
        "account deletion incomplete",
      );
    }
  }

  async function finish(): Promise<void> {
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

  function scheduleRound(): void {
    timer = setTimeout(async () => {
      await finish();
      if (!isStopped) scheduleRound();
    }, ROUND_MS);
  }

  return {
    name: "account deletions",
    async start() {
      scheduleRound();
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
    },
    async delete(deletion) {
      await requestDeletion(db, deletion);
      await Promise.race([attempt(deletion), wait(PATIENCE_MS, undefined, { ref: false })]);
    },
    finish,
  };
}
