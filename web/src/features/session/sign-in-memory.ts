import { createStoredFlag } from "../../lib/stored-flag.ts";

/**
 * Whether somebody was signed in here when last looked: known at once, before the provider is loaded.
 * Where nothing is stored, the top bar changes a moment later.
 */
const signedIn = createStoredFlag("signed_in");

export const wasSignedIn = signedIn.get;
export const rememberSignIn = signedIn.set;
