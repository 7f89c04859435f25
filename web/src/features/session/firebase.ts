import { FetchProvider } from "@firebase/auth/internal";
import { type FirebaseOptions, initializeApp } from "firebase/app";
import {
  browserLocalPersistence,
  createUserWithEmailAndPassword,
  EmailAuthProvider,
  indexedDBLocalPersistence,
  initializeAuth,
  reauthenticateWithCredential,
  sendEmailVerification,
  sendPasswordResetEmail,
  signInWithEmailAndPassword,
  signOut,
  type User,
  updatePassword,
  updateProfile,
  verifyBeforeUpdateEmail,
} from "firebase/auth";
import { httpErrorOf } from "../../lib/http/http-client.ts";
import { createUser, replaceSessions } from "./api.ts";
import { errorCode } from "./failures.ts";
import type { IdentityProvider } from "./identity-provider.ts";
import { openSession } from "./open-session.ts";

/** Firebase no longer accepts the login that it has stored. */
const INVALID_LOGIN_CODES = new Set([
  "auth/user-disabled",
  "auth/user-not-found",
  "auth/user-token-expired",
  "auth/invalid-user-token",
  "auth/invalid-refresh-token",
]);

// When it starts, Firebase signs out a user whose data it cannot load, unless the network has failed.
FetchProvider.initialize(async (...request) => {
  const response = await fetch(...request);
  if (response.status === 429 || response.status >= 500) throw new Error(`${response.status}`);
  return response;
});

/** Firebase Auth with email and password only, whose token is exchanged for a session of the api. */
export function createFirebaseProvider(options: FirebaseOptions): IdentityProvider {
  // No popup resolver: it would load a Google iframe and is a tenth of this chunk.
  const auth = initializeAuth(initializeApp(options), {
    persistence: [indexedDBLocalPersistence, browserLocalPersistence],
  });

  async function currentUser(): Promise<User> {
    await auth.authStateReady();
    if (!auth.currentUser) throw new Error("No user is signed in");
    return auth.currentUser;
  }

  const open = async (user: User, isFresh = false) => openSession(identityOf(user), await user.getIdToken(isFresh));

  async function reauthenticate(password: string) {
    const user = await currentUser();
    const credential = EmailAuthProvider.credential(user.email ?? "", password);
    await reauthenticateWithCredential(user, credential);
  }

  /** Continues a sign-up that failed after Firebase had created its user, also with another password. */
  async function findOrCreate(email: string, password: string): Promise<User> {
    const { currentUser: unfinished } = auth;
    if (unfinished?.email?.toLowerCase() !== email.toLowerCase()) {
      return (await createUserWithEmailAndPassword(auth, email, password)).user;
    }
    await updatePassword(unfinished, password);
    return unfinished;
  }

  return {
    async restore() {
      await auth.authStateReady();
      if (!auth.currentUser) return null;
      try {
        return await open(auth.currentUser, true);
      } catch (error) {
        if (!INVALID_LOGIN_CODES.has(errorCode(error))) throw error;
        await signOut(auth);
        return null;
      }
    },
    async logIn(email, password) {
      return open((await signInWithEmailAndPassword(auth, email, password)).user);
    },
    async signUp({ username, email, password }) {
      const user = await findOrCreate(email, password);
      await updateProfile(user, { displayName: username });
      const token = await user.getIdToken();
      try {
        await createUser({ firebaseUid: user.uid, email: user.email ?? email, username }, token);
      } catch (error) {
        // After a 409, and only then, the backend certainly has no user of this identity.
        if (httpErrorOf(error)?.status === 409) await user.delete().catch((failure) => console.warn(failure));
        throw error;
      }
      return open(user);
    },
    async setPassword({ password, revokesKeys }) {
      const user = await currentUser();
      await updatePassword(user, password);
      try {
        // This login has ended too.
        await reauthenticate(password);
        await replaceSessions(await user.getIdToken(), revokesKeys);
        return { hasEndedSessions: true, hasRevokedKeys: revokesKeys };
      } catch (error) {
        console.warn(error);
        return { hasEndedSessions: false, hasRevokedKeys: false };
      }
    },
    reauthenticate: (_email, password) => reauthenticate(password),
    sendEmailChange: async (newEmail) => verifyBeforeUpdateEmail(await currentUser(), newEmail),
    sendEmailConfirmation: async () => sendEmailVerification(await currentUser()),
    signOut: () => signOut(auth),
    sendPasswordReset: (email) => sendPasswordResetEmail(auth, email),
    async getToken() {
      await auth.authStateReady();
      return (await auth.currentUser?.getIdToken()) ?? null;
    },
  };
}

function identityOf({ uid, email, displayName }: User) {
  return { uid, email: email ?? "", displayName, hasPassword: true, hasTwoFactor: false };
}
