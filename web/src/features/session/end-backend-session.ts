import { createStoredFlag } from "../../lib/stored-flag.ts";
import { wait } from "../../lib/wait.ts";
import { logOut } from "./api/log-out.ts";

const RETRY_DELAY_MS = 30_000;

/** Until the backend has confirmed a logout, this browser's cookie still opens the account. */
export const pendingLogout = createStoredFlag("logout_owed");

/** Ends the backend's session. */
export async function endBackendSession(): Promise<void> {
  pendingLogout.set(true);
  await logOut();
  pendingLogout.set(false);
}

/** @returns what asks the backend for an owed logout, again and again while nobody is signed in */
export function createLogoutRetrier(isSignedOut: () => boolean) {
  let isRunning = false;
  return async () => {
    if (isRunning) return;
    isRunning = true;
    while (pendingLogout.get() && isSignedOut()) {
      try {
        await endBackendSession();
      } catch (error) {
        console.warn(error);
        await wait(RETRY_DELAY_MS);
      }
    }
    isRunning = false;
  };
}
