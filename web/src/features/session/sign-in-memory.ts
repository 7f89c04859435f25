import { createStoredFlag } from "../../lib/stored-flag.ts";

const KEY = "signed_in";

/**
 * Who was signed in at the last visit, or is in another tab. It is known before the api has said who is. If storage is
 * forbidden, the top bar shows the signed-out state at first.
 */
export function lastSignedIn(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

export const wasSignedIn = () => lastSignedIn() !== null;

/** @param uid `true`: whoever comes back from a login at an OpenID provider */
export function rememberSignIn(uid: string | boolean): void {
  try {
    if (uid === false) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, String(uid));
  } catch {
    // Storage may be forbidden.
  }
}

/** Set until the api has confirmed a logout. Until then, this browser's cookie still opens the account. */
export const pendingLogout = createStoredFlag("logout_owed");
