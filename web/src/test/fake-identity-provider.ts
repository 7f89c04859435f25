import type { Identity, IdentityProvider } from "../features/session/identity-provider.ts";

/** Stands in for Firebase: whoever signs in is let in, unless a test says otherwise. */
export function fakeIdentityProvider(signedIn: Identity | null = null) {
  let current = signedIn;
  const listeners = new Set<(identity: Identity | null) => void>();

  function become(identity: Identity | null) {
    current = identity;
    for (const listener of listeners) listener(identity);
  }

  const provider: IdentityProvider = {
    onChange(listener) {
      listeners.add(listener);
      queueMicrotask(() => listeners.has(listener) && listener(current));
      return () => listeners.delete(listener);
    },
    async signIn(email) {
      const identity = identityOf(email);
      become(identity);
      return identity;
    },
    async signUp(email) {
      const identity = identityOf(email);
      become(identity);
      return identity;
    },
    async setPassword() {},
    async setDisplayName(displayName) {
      if (current) become({ ...current, displayName });
    },
    async deleteIdentity() {
      become(null);
    },
    async getToken(wanted) {
      return `${wanted?.fresh ? "fresh" : "known"} token of ${current?.uid}`;
    },
    async signOut() {
      become(null);
    },
    async sendPasswordReset() {},
  };
  return Object.assign(provider, { become });
}

export type FakeIdentityProvider = ReturnType<typeof fakeIdentityProvider>;

export function identityOf(email: string): Identity {
  return { uid: `uid-of-${email}`, email, displayName: null };
}
