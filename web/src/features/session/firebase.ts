import { PROVIDER_SIGN_OUT_WAIT_MS } from "@tapthru/proto/rules/limits";
import { type FirebaseOptions, initializeApp } from "firebase/app";
import {
  type Auth,
  browserLocalPersistence,
  connectAuthEmulator,
  createUserWithEmailAndPassword,
  EmailAuthProvider,
  indexedDBLocalPersistence,
  initializeAuth,
  onAuthStateChanged,
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
import { finishesWithin } from "../../lib/finishes-within.ts";
import type { Identity, IdentityProvider } from "./identity-provider.ts";
import { withSignOutLock, withStartLock } from "./tab-lock.ts";

interface FirebaseSettings {
  options: FirebaseOptions;
  /** The origin of the emulator. Null to use Google. */
  emulatorUrl: string | null;
}

/** As long as Firebase waits for Google's response on a phone. The browser's database may never open. */
const START_MAX_MS = 60_000;

/**
 * Firebase Auth with email and password only. When it starts, Firebase reads its user from the browser's database, and
 * stores them again after Google has confirmed them. Without the lock that would undo a sign-out of another tab.
 */
export async function startFirebase(settings: FirebaseSettings): Promise<IdentityProvider> {
  const created = Promise.withResolvers<IdentityProvider>();
  withStartLock(async () => {
    const auth = createAuth(settings);
    created.resolve(providerOf(auth));
    await finishesWithin(START_MAX_MS, auth.authStateReady());
  }).catch(created.reject);
  return created.promise;
}

function createAuth({ options, emulatorUrl }: FirebaseSettings): Auth {
  // No popup resolver: it would load a Google iframe and is a tenth of this chunk.
  const auth = initializeAuth(initializeApp(options), {
    persistence: [indexedDBLocalPersistence, browserLocalPersistence],
  });
  if (emulatorUrl) connectAuthEmulator(auth, emulatorUrl, { disableWarnings: true });
  return auth;
}

function providerOf(auth: Auth): IdentityProvider {
  const listeners = new Set<(identity: Identity | null) => void>();

  function currentUser(): User {
    if (!auth.currentUser) throw new Error("No user is signed in");
    return auth.currentUser;
  }

  return {
    onChange(listener) {
      listeners.add(listener);
      const stop = onAuthStateChanged(auth, (user) => listener(user && toIdentity(user)));
      return () => {
        stop();
        listeners.delete(listener);
      };
    },
    current: () => auth.currentUser && toIdentity(auth.currentUser),
    async signIn(email, password) {
      return toIdentity((await signInWithEmailAndPassword(auth, email, password)).user);
    },
    async signUp(email, password) {
      return toIdentity((await createUserWithEmailAndPassword(auth, email, password)).user);
    },
    setPassword: (password) => updatePassword(currentUser(), password),
    async reauthenticate(password) {
      const user = currentUser();
      const credential = EmailAuthProvider.credential(user.email ?? "", password);
      await reauthenticateWithCredential(user, credential);
    },
    sendEmailChange: (newEmail) => verifyBeforeUpdateEmail(currentUser(), newEmail),
    sendEmailConfirmation: () => sendEmailVerification(currentUser()),
    async setDisplayName(displayName) {
      const user = currentUser();
      await updateProfile(user, { displayName });
      // Firebase does not call onAuthStateChanged for profile changes.
      for (const listener of listeners) listener(toIdentity(user));
    },
    deleteIdentity: () => currentUser().delete(),
    async getToken(tokenOptions) {
      return currentUser().getIdToken(tokenOptions?.fresh);
    },
    async signOut() {
      let signedOut = Promise.resolve();
      await withSignOutLock(async () => {
        signedOut = signOut(auth);
        // Another tab starts without Firebase's response.
        await finishesWithin(PROVIDER_SIGN_OUT_WAIT_MS, signedOut);
      });
      await signedOut;
    },
    sendPasswordReset: (email) => sendPasswordResetEmail(auth, email),
  };
}

function toIdentity({ uid, email, displayName }: User): Identity {
  return { uid, email: email ?? "", displayName };
}
