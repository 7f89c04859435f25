import type { Identity, IdentityProvider } from "../features/session/identity-provider.ts";

export type FakeIdentityProvider = Required<IdentityProvider> & {
  /** Signs an identity in or out, as another tab does. */
  setIdentity(identity: Identity | null): void;
};

/** Fakes an identity provider. Accepts every sign-in unless a test mocks a method. */
export function fakeIdentityProvider(signedIn: Identity | null = null): FakeIdentityProvider {
  let current = signedIn;
  const listeners = new Set<(identity: Identity | null) => void>();

  function setIdentity(identity: Identity | null) {
    current = identity;
    for (const listener of listeners) listener(identity);
  }

  async function signInAs(email: string) {
    const identity = identityFor(email);
    setIdentity(identity);
    return identity;
  }

  return {
    setIdentity,
    onChange(listener) {
      listeners.add(listener);
      queueMicrotask(() => listeners.has(listener) && listener(current));
      return () => listeners.delete(listener);
    },
    current: () => current,
    signIn: signInAs,
    signUp: ({ email }) => signInAs(email),
    async setPassword() {},
    async reauthenticate() {},
    async sendEmailChange() {},
    async sendEmailConfirmation() {},
    async setDisplayName(displayName) {
      if (current) setIdentity({ ...current, displayName });
    },
    async deleteIdentity() {
      setIdentity(null);
    },
    async getToken(options) {
      return `${options?.fresh ? "fresh" : "known"} token of ${current?.uid}`;
    },
    async signOut() {
      setIdentity(null);
    },
    async sendPasswordReset() {},
    builtIn: {
      verifyCode: () => signInAs("anna@example.com"),
      signInWithPasskey: () => signInAs("anna@example.com"),
      async refresh() {},
    },
  };
}

/**
 * Fakes Firebase whose database does not open: it neither reports its user nor signs out until `respond` is called.
 * Then it does both, in this order, as Firebase does.
 */
export function hangingIdentityProvider(signedIn: Identity) {
  const identity = fakeIdentityProvider(signedIn);
  const { onChange, signOut } = identity;
  const { promise: opened, resolve: respond } = Promise.withResolvers<void>();
  const { promise: reported, resolve: report } = Promise.withResolvers<void>();

  identity.onChange = (listener) => {
    let stop: (() => void) | null = null;
    opened.then(() => {
      stop = onChange((user) => {
        listener(user);
        report();
      });
    });
    return () => stop?.();
  };
  identity.signOut = async () => {
    await reported;
    await signOut();
  };
  return { identity, respond };
}

export function identityFor(email: string): Identity {
  return {
    uid: `uid-of-${email}`,
    email,
    displayName: null,
    isEmailVerified: true,
    hasPassword: true,
    hasTwoFactor: false,
  };
}

/** An error of the provider. @param code such as "auth/wrong-password" */
export function providerError(code: string): Error {
  return Object.assign(new Error(`Firebase: Error (${code}).`), { code });
}
