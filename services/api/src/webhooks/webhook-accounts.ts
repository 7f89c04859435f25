import type { Component } from "@tapthru/core/platform/lifecycle";
import type { Logger } from "@tapthru/core/platform/logger";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { milliseconds } from "@tapthru/core/platform/postgres/values";
import { TOKEN_RECHECK_INTERVAL_MS } from "@tapthru/proto/rules/limits";
import { sql } from "slonik";
import * as z from "zod/mini";
import { ACCOUNTS_LOOKUP_MAX_COUNT, type IdentityProvider } from "../accounts/identity.ts";

const INTERVAL_MS = 30_000;

export interface WebhookAccountsDependencies {
  db: Db<"any" | "query">;
  identity: Pick<IdentityProvider, "findUsable">;
  logger: Logger;
}

export interface WebhookAccounts extends Component {
  /** Checks the accounts whose check is due. Never rejects. */
  check(): Promise<void>;
}

/**
 * Queries the identity provider every 15 minutes whether the accounts of webhooks are disabled or were deleted there; nothing is
 * sent for these. While the provider is unavailable accounts count as before, as for sessions and API keys.
 */
export function createWebhookAccounts(deps: WebhookAccountsDependencies): WebhookAccounts {
  const { db, identity, logger } = deps;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  async function checkSome(): Promise<{ mayHaveMore: boolean }> {
    const accounts = await takeAccounts(db, ACCOUNTS_LOOKUP_MAX_COUNT);
    if (accounts.length === 0) return { mayHaveMore: false };
    const usable = await identity.findUsable(accounts.map(({ firebaseUid }) => firebaseUid));
    if (usable === "unavailable") return { mayHaveMore: false };
    const ended = accounts.filter(({ firebaseUid }) => !usable.has(firebaseUid));
    await storeEnded(db, {
      checked: accounts.map(({ userId }) => userId),
      ended: ended.map(({ userId }) => userId),
    });
    return { mayHaveMore: true };
  }

  async function check(): Promise<void> {
    try {
      while (!isStopped && (await checkSome()).mayHaveMore);
    } catch (err) {
      logger.warn(
        { event: "webhook_accounts_not_checked", err },
        "failed to check the accounts of webhooks",
      );
    }
  }

  function schedule(): void {
    timer = setTimeout(async () => {
      await check();
      if (!isStopped) schedule();
    }, INTERVAL_MS);
  }

  return {
    name: "accounts of webhooks",
    async start() {
      schedule();
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
    },
    check,
  };
}

const Account = z.object({ userId: z.int(), firebaseUid: z.string() });

/**
 * Takes accounts with webhooks that were last checked long ago, so that no other replica checks them too. A result that is lost
 * is missing until the next check.
 * @param limit of webhooks
 */
function takeAccounts(db: Db<"any">, limit: number) {
  return db.any(sql.type(Account)`
    WITH due AS (
      SELECT id, user_id FROM webhooks
      WHERE disabled_at IS NULL
        AND account_checked_at <= now() - ${milliseconds(TOKEN_RECHECK_INTERVAL_MS)}
      ORDER BY account_checked_at LIMIT ${limit} FOR NO KEY UPDATE SKIP LOCKED
    ), taken AS (
      UPDATE webhooks SET account_checked_at = now() FROM due WHERE webhooks.id = due.id
    )
    SELECT DISTINCT users.id AS "userId", firebase_uid AS "firebaseUid"
    FROM due JOIN users ON users.id = due.user_id
  `);
}

/** Stores which of the accounts cannot be used any more, for all their webhooks. */
async function storeEnded(
  db: Db<"query">,
  { checked, ended }: { checked: readonly number[]; ended: readonly number[] },
) {
  await db.query(sql.type(z.object({}))`
    WITH changed AS (
      SELECT id, user_id = ANY(${sql.array(ended, "int4")}) AS is_ended FROM webhooks
      WHERE user_id = ANY(${sql.array(checked, "int4")})
        AND account_ended <> (user_id = ANY(${sql.array(ended, "int4")}))
      ORDER BY id FOR NO KEY UPDATE
    )
    UPDATE webhooks SET account_ended = is_ended FROM changed WHERE webhooks.id = changed.id
  `);
}
