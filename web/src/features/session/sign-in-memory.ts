import { createStoredFlag } from "../../lib/stored-flag.ts";

/**
 * Whether a user was signed in at the last visit. It is known before the provider has loaded. If storage is
 * forbidden, the top bar shows the signed-out state at first.
 */
const signedIn = createStoredFlag("signed_in");

export const wasSignedIn = signedIn.get;
export const rememberSignIn = signedIn.set;

/**
 * Set until the backend has confirmed a logout. Until then, this browser's cookie still opens the account. Browsers
 * have already stored the key, so it does not change.
 */
export const pendingLogout = createStoredFlag("logout_owed");

/**
 * Set if the identity provider did not confirm a sign-out in time, until it does or a user logs in. The user that it
 * still stores is signed out, not logged in again.
 */
export const pendingSignOut = createStoredFlag("sign_out_pending");
