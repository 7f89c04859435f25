import type { User } from "@tapthru/proto/http/accounts";
import { pendingLogout } from "./backend-exit.ts";
import { logInToBackend } from "./backend-login.ts";
import { type ClaimOutcome, claimPendingLink } from "./claim-pending-link.ts";
import type { Identity } from "./identity-provider.ts";
import type { LoadProvider } from "./load-provider.ts";

export interface BackendLogin {
  user: User;
  claim: ClaimOutcome;
}

interface Attempt {
  uid: string;
  isUnderWay: boolean;
  entry: Promise<BackendLogin>;
}

/** Opens the backend's session and claims the pending link: once for an identity, whoever asks. */
export function createBackendLogin(loadProvider: LoadProvider) {
  /** The last one, under way or done; a failed one is forgotten. */
  let last: Attempt | null = null;

  async function attempt(identity: Identity): Promise<BackendLogin> {
    const user = await logInToBackend(await loadProvider(), identity);
    // A session that was to end has ended by it.
    pendingLogout.set(false);
    return { user, claim: await claimPendingLink(user.id) };
  }

  async function open(identity: Identity, { again = false } = {}): Promise<BackendLogin> {
    if (last?.uid === identity.uid && (last.isUnderWay || !again)) return last.entry;
    const current: Attempt = { uid: identity.uid, isUnderWay: true, entry: attempt(identity) };
    last = current;
    try {
      return await current.entry;
    } catch (error) {
      if (last === current) last = null;
      throw error;
    } finally {
      current.isUnderWay = false;
    }
  }

  return {
    open,
    forget() {
      last = null;
    },
  };
}
