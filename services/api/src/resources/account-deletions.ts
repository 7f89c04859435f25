import { setTimeout as wait } from "node:timers/promises";
import { record } from "@tapthru/core/events";
import { withoutActor } from "@tapthru/core/platform/actor";
import { isUnavailable, processEach, processItem } from "@tapthru/core/platform/failed-items";
import type { Component } from "@tapthru/core/platform/lifecycle";
import type { Logger } from "@tapthru/core/platform/logger";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { milliseconds } from "@tapthru/core/platform/postgres/values";
import { lastOperator } from "@tapthru/proto/own-account";
import { ACCOUNT_DELETION_RETENTION_MS } from "@tapthru/proto/rules/limits";
import { sql } from "slonik";
import * as z from "zod/mini";
import { lockOperators } from "../callers/users.ts";
import { ApiError } from "../http/errors.ts";
import {
  Deletion,
  type ExecuteDeletionDependencies,
  executeDeletion,
  ProviderUnavailableError,
} from "./execute-deletion.ts";

/** Maximum wait of a request. Deleting tens of thousands of links may take longer. */
const RESPONSE_WAIT_MS = 5_000;
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

  /** While something is unavailable the next round continues. */
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
      await processEach(loop, await findUnfinishedDeletions(db), ({ userId }) => userId, attempt);
      await purgeOldDeletions(db);
    } catch (err) {
      report(err);
    }
  }

  function report(err: unknown): void {
    logger.warn({ event: "account_deletion_lookup_failed", err }, "failed to find or quarantine account deletions");
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
      const deleting = withoutActor(() => processItem(loop, deletion.userId, () => attempt(deletion))).catch(report);
      await Promise.race([deleting, wait(RESPONSE_WAIT_MS, undefined, { ref: false })]);
    },
    retryUnfinished,
  };
}

/** Idempotent. @throws ApiError (last-operator) if other users would have no operator */
async function requestDeletion(db: Db<"transaction">, { userId, firebaseUid }: Deletion): Promise<void> {
  await db.transaction(async (transaction) => {
    const [operator, ...others] = await lockOperators(transaction);
    const isLast = operator === userId && others.length === 0;
    if (isLast && (await hasOtherUsers(transaction, userId))) throw new ApiError(lastOperator);
    const { rowCount } = await transaction.query(sql.type(z.object({}))`
      INSERT INTO account_deletions (firebase_uid, user_id) VALUES (${firebaseUid}, ${userId})
      ON CONFLICT DO NOTHING
    `);
    const account = { objectId: String(userId), object: "", ownerId: userId };
    if (rowCount > 0) await record(transaction, "account.deleted", account);
  });
}

function hasOtherUsers(db: Db<"exists">, userId: number): Promise<boolean> {
  return db.exists(sql.type(z.object({}))`
    SELECT FROM users WHERE id <> ${userId}
      AND NOT EXISTS (SELECT FROM account_deletions AS deletion WHERE deletion.user_id = users.id)
  `);
}

function findUnfinishedDeletions(db: Db<"any">) {
  return db.any(sql.type(Deletion)`
    SELECT user_id AS "userId", firebase_uid AS "firebaseUid" FROM account_deletions
    WHERE done_at IS NULL ORDER BY requested_at
  `);
}

async function purgeOldDeletions(db: Db<"query">) {
  await db.query(sql.type(z.object({}))`
    DELETE FROM account_deletions
    WHERE done_at < now() - ${milliseconds(ACCOUNT_DELETION_RETENTION_MS)}
  `);
}
