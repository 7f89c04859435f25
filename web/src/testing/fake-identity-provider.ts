import type { Identity, IdentityProvider } from "../features/session/identity-provider.ts";

export type FakeIdentityProvider = IdentityProvider & {
  /** Signs somebody in or out, as another tab does. */
  become(identity: Identity | null): void;
};

/** Stands in for Firebase: whoever signs in is let in, unless a test says otherwise. */
export function fakeIdentityProvider(signedIn: Identity | null = null): FakeIdentityProvider {
  let current = signedIn;
  const listeners = new Set<(identity: Identity | null) => void>();

  function become(identity: Identity | null) {
    current = identity;
    for (const listener of listeners) listener(identity);
  }

  async function enter(email: string) {
    const identity = identityOf(email);
    become(identity);
    return identity;
  }

  return {
    become,
    onChange(listener) {
      listeners.add(listener);
      queueMicrotask(() => listeners.has(listener) && listener(current));
      return () => listeners.delete(listener);
    },
    current: () => current,
    signIn: enter,
    signUp: enter,
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
}

export function identityOf(email: string): Identity {
  return { uid: `uid-of-${email}`, email, displayName: null };
}

/** A failure as the provider reports it, such as "auth/wrong-password". */
export function providerError(code: string): Error {
  return Object.assign(new Error(`Firebase: Error (${code}).`), { code });
}
