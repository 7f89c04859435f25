import { logOut } from "./api.ts";
import { keepTrying } from "./keep-trying.ts";
import { pendingLogout } from "./sign-in-memory.ts";

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
    await keepTrying(endIfPending, (error) => {
      console.warn(error);
      return true;
    });
    isRunning = false;
  };

  async function endIfPending() {
    if (pendingLogout.get() && isSignedOut()) await endBackendSession();
  }
}
