import type { Logger } from "@tapthru/runtime/logger";
import { bestEffort } from "@tapthru/runtime/redis/errors";
import type { IdentityProvider } from "../accounts/identity.ts";
import type { SessionStore } from "./session-store.ts";
import type { LiveSession } from "./sessions.ts";

export interface TokenRecheckDependencies {
  store: Pick<SessionStore, "claimCheck" | "releaseCheck" | "end">;
  identity: Pick<IdentityProvider, "checkLogin">;
  logger: Logger;
}

/**
 * Checks with the identity provider every 15 minutes whether the login of a session is still valid, and ends the
 * session otherwise. While the provider is unavailable sessions remain valid. Never rejects.
 */
export function createTokenRecheck({ store, identity, logger }: TokenRecheckDependencies) {
  async function check({ id, firebaseUid: uid, authTime }: LiveSession): Promise<void> {
    if (!(await store.claimCheck(id))) return;
    const status = await identity.checkLogin({ uid, authTime });
    if (status === "ended") await store.end(id);
    if (status === "unavailable") await store.releaseCheck(id);
  }
  return async (session: LiveSession): Promise<void> => {
    await bestEffort(check(session)).catch((err) => {
      logger.error({ event: "session_check_failed", err }, "failed to check session");
    });
  };
}
