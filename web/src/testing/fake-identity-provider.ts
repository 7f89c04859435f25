import type { Login, User } from "@tapthru/proto/accounts";
import { HttpResponse, http } from "msw";
import type { IdentityProvider } from "../features/session/identity-provider.ts";
import { rememberSignIn, SIGN_IN_KEY } from "../features/session/sign-in-memory.ts";
import { server } from "./server.ts";

export type TestIdentity = Login["identity"];

export type FakeIdentityProvider = Required<IdentityProvider> & {
  current(): TestIdentity | null;
  setIdentity(identity: TestIdentity | null): void;
};

/** The users of the faked api, by id at the provider. */
export const testUsers = new Map<string, User>();

export function addTestUser({ uid, email }: Pick<TestIdentity, "uid" | "email">, username = email): User {
  const createdAt = "2026-11-20T08:00:00.000Z";
  const settings = { displayedName: null, showsDisclosure: false, emailIsVerified: true, weeklyEmail: null };
  const user = { id: testUsers.size + 1, username, email, createdAt, isOperator: false, ...settings };
  testUsers.set(uid, user);
  return user;
}

const loginOf = (identity: TestIdentity): Login => ({
  identity,
  user: testUsers.get(identity.uid) ?? addTestUser(identity),
});

/** Fakes an identity provider and the session of the api. Accepts every login unless a test mocks a method. */
export function fakeIdentityProvider(signedIn: TestIdentity | null = null): FakeIdentityProvider {
  let current = signedIn;
  const find = () => current && loginOf(current);
  server.use(http.get("/api/session", () => HttpResponse.json({ login: find() })));

  async function logInAs(email: string, username?: string) {
    current = identityFor(email);
    if (username !== undefined && !testUsers.has(current.uid)) addTestUser(current, username);
    return loginOf(current);
  }

  return {
    current: () => current,
    setIdentity(identity) {
      current = identity;
      rememberSignIn(identity?.uid ?? null);
      dispatchEvent(new StorageEvent("storage", { key: SIGN_IN_KEY }));
    },
    restore: async () => find(),
    logIn: (email) => logInAs(email),
    signUp: ({ email, username }) => logInAs(email, username),
    setPassword: async ({ revokesKeys }) => ({ hasEndedSessions: true, hasRevokedKeys: revokesKeys }),
    async reauthenticate() {},
    async sendEmailChange() {},
    async sendEmailConfirmation() {},
    async signOut() {
      current = null;
    },
    async sendPasswordReset() {},
    getToken: async () => null,
    builtIn: {
      verifyCode: () => logInAs("anna@example.com"),
      logInWithPasskey: () => logInAs("anna@example.com"),
    },
  };
}

export function identityFor(email: string): TestIdentity {
  return { uid: `uid-of-${email}`, email, hasPassword: true, hasTwoFactor: false };
}

/** An error of the provider. @param code such as "auth/wrong-password" */
export function providerError(code: string): Error {
  return Object.assign(new Error(`Firebase: Error (${code}).`), { code });
}
