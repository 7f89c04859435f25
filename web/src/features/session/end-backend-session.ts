import { wait } from "../../lib/wait.ts";
import { logOut } from "./api/log-out.ts";
import { pendingLogout } from "./sign-in-memory.ts";

const RETRY_DELAY_MS = 30_000;

/** Ends the backend session, and leaves the logout pending if that fails. */
export async function endBackendSession(): Promise<void> {
  pendingLogout.set(true);
  await logOut();
  pendingLogout.set(false);
}

/** @returns a function that retries a pending logout until it succeeds or a user signs in */
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
