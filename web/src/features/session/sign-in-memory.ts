import { readText, writeText } from "../../lib/stored-texts.ts";

export const SIGN_IN_KEY = "signed_in";

/** Remembered for the user whose login has ended, until they log in again or continue without an account. */
export const ENDED = "ended";
/** Remembered for the user who comes back from a login at an OpenID provider. */
export const RETURNING = "true";

/**
 * Who was signed in at the last visit, or is in another tab. It is known before the api has said who is. If storage is
 * forbidden, the top bar shows the signed-out state at first.
 */
export const lastSignedIn = () => readText(SIGN_IN_KEY);

export const wasSignedIn = () => lastSignedIn() !== null;

export const rememberSignIn = (uid: string | null) => writeText(SIGN_IN_KEY, uid);

/** Set until the api has confirmed a logout. Until then, this browser's cookie still opens the account. */
export const pendingLogout = {
  get: () => readText("logout_owed") !== null,
  set: (isPending: boolean) => writeText("logout_owed", isPending ? "yes" : null),
};
