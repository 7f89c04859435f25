import type { User } from "@tapthru/proto/accounts";
import { logInToBackend } from "./backend-login.ts";
import { type ClaimOutcome, claimPendingLinks } from "./claim-pending-links.ts";
import type { Identity } from "./identity-provider.ts";
import type { LoadProvider } from "./load-provider.ts";
import { pendingLogout } from "./sign-in-memory.ts";

export interface BackendLogin {
  user: User;
  claim: ClaimOutcome;
}

interface Attempt {
  uid: string;
  isPending: boolean;
  result: Promise<BackendLogin>;
}

/** Opens the backend session and claims the pending link, once per identity. Concurrent callers share one login. */
export function createBackendLogin(loadProvider: LoadProvider) {
  /** The last attempt, pending or successful. A failed one is removed. */
  let lastAttempt: Attempt | null = null;

  async function logInAndClaim(identity: Identity): Promise<BackendLogin> {
    const user = await logInToBackend(await loadProvider(), identity);
    // The login has replaced the session that a pending logout was to end.
    pendingLogout.set(false);
    return { user, claim: await claimPendingLinks(user.id) };
  }

  async function open(identity: Identity, { renew = false } = {}): Promise<BackendLogin> {
    if (lastAttempt?.uid === identity.uid && (lastAttempt.isPending || !renew)) return lastAttempt.result;
    const current: Attempt = {
      uid: identity.uid,
      isPending: true,
      result: logInAndClaim(identity),
    };
    lastAttempt = current;
    try {
      return await current.result;
    } catch (error) {
      if (lastAttempt === current) lastAttempt = null;
      throw error;
    } finally {
      current.isPending = false;
    }
  }

  return {
    open,
    /** Claims the links that were stored since the last login began, if there was one. */
    async claim(): Promise<void> {
      if (lastAttempt) await claimPendingLinks((await lastAttempt.result).user.id);
    },
    reset() {
      lastAttempt = null;
    },
  };
}
