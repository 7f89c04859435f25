const KEY = "invitation";

/** The token of the invitation with which this tab was opened, until it is used. It outlives a login at an OpenID provider. */
export const invitation = {
  get(): string | undefined {
    try {
      return sessionStorage.getItem(KEY) ?? undefined;
    } catch {
      return undefined;
    }
  },
  set(token: string | null) {
    try {
      if (token === null) sessionStorage.removeItem(KEY);
      else sessionStorage.setItem(KEY, token);
    } catch {
      // Storage may be forbidden.
    }
  },
};
