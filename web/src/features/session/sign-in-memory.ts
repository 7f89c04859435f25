const STORAGE_KEY = "signed_in";

/** Whether somebody was signed in here when last looked: known at once, before the provider is loaded. */
export function wasSignedIn(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) !== null;
  } catch {
    return false;
  }
}

export function rememberSignIn(isSignedIn: boolean): void {
  try {
    if (isSignedIn) localStorage.setItem(STORAGE_KEY, "yes");
    else localStorage.removeItem(STORAGE_KEY);
  } catch {
    // Storage may be forbidden: the top bar then changes a moment later.
  }
}
