import type { Component } from "@tapthru/runtime/lifecycle";
import type { Logger } from "@tapthru/runtime/logger";
import type { CommonQueryMethods } from "slonik";
import { ACCOUNTS_LOOKUP_MAX_COUNT, type IdentityProvider } from "../accounts/identity.ts";
import { storeEnded, takeAccounts } from "./account-queries.ts";

const INTERVAL_MS = 30_000;

export interface WebhookAccountsDependencies {
  db: Pick<CommonQueryMethods, "any" | "query">;
  identity: Pick<IdentityProvider, "findEnded">;
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
    const endedUids = await identity.findEnded(accounts.map(({ firebaseUid }) => firebaseUid));
    if (endedUids === "unavailable") return { mayHaveMore: false };
    const ended = accounts.filter(({ firebaseUid }) => endedUids.has(firebaseUid));
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
