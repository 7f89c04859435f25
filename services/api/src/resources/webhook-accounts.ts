import type { Logger } from "@tapthru/core/platform/logger";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { milliseconds } from "@tapthru/core/platform/postgres/values";
import { sql } from "slonik";
import * as z from "zod/mini";
import { TOKEN_RECHECK_INTERVAL_MS } from "../accounts/account-checks.ts";
import { ACCOUNTS_LOOKUP_MAX_COUNT, type IdentityProvider } from "../callers/identity.ts";

const INTERVAL_MS = 30_000;
/** The lease of a check. After a crash another replica makes it. */
const LEASE_MS = 60_000;

/**
 * Queries the identity provider every 15 minutes whether the accounts of webhooks are disabled or were deleted there; nothing is
 * sent for these. While the provider is unavailable accounts count as before, as for sessions and API keys.
 */
export function createWebhookAccounts({
  db,
  identity,
  logger,
}: {
  db: Db<"any" | "query">;
  identity: Pick<IdentityProvider, "findUsable">;
  logger: Logger;
}) {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  /** Checks the accounts whose check is due. Never rejects. */
  async function check(): Promise<void> {
    try {
      while (!isStopped) {
        const accounts = await takeAccounts(db);
        if (accounts.length === 0) return;
        const usable = await identity.findUsable(accounts.map(({ firebaseUid }) => firebaseUid));
        if (usable === "unavailable") return;
        const ended = accounts.filter(({ firebaseUid }) => !usable.has(firebaseUid));
        await storeEnded(db, idsOf(accounts), idsOf(ended));
      }
    } catch (err) {
      logger.warn({ event: "webhook_accounts_not_checked", err }, "failed to check the accounts of webhooks");
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

const idsOf = (accounts: readonly z.infer<typeof Account>[]) =>
  sql.array(
    accounts.map(({ userId }) => userId),
    "int4",
  );

function takeAccounts(db: Db<"any">) {
  return db.any(sql.type(Account)`
    WITH due AS (
      SELECT id, user_id FROM webhooks
      WHERE disabled_at IS NULL
        AND account_checked_at <= now() - ${milliseconds(TOKEN_RECHECK_INTERVAL_MS)}
      ORDER BY account_checked_at LIMIT ${ACCOUNTS_LOOKUP_MAX_COUNT} FOR NO KEY UPDATE SKIP LOCKED
    ), taken AS (
      UPDATE webhooks SET account_checked_at = now() - ${milliseconds(TOKEN_RECHECK_INTERVAL_MS - LEASE_MS)} FROM due WHERE webhooks.id = due.id
    )
    SELECT DISTINCT users.id AS "userId", firebase_uid AS "firebaseUid"
    FROM due JOIN users ON users.id = due.user_id
  `);
}

type Ids = ReturnType<typeof idsOf>;

async function storeEnded(db: Db<"query">, checked: Ids, ended: Ids) {
  await db.query(sql.type(z.object({}))`
    WITH changed AS (
      SELECT id, user_id = ANY(${ended}) AS is_ended FROM webhooks
      WHERE user_id = ANY(${checked}) ORDER BY id FOR NO KEY UPDATE
    )
    UPDATE webhooks SET account_ended = is_ended, account_checked_at = now() FROM changed WHERE webhooks.id = changed.id
  `);
}
