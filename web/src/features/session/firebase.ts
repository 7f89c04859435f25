import { FetchProvider } from "@firebase/auth/internal";
import { type FirebaseOptions, initializeApp } from "firebase/app";
import {
  browserLocalPersistence,
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
import type { Identity, IdentityProvider } from "./identity-provider.ts";

// When it starts, Firebase signs out a user whose data it cannot load, unless the network has failed.
FetchProvider.initialize(async (...request) => {
  const response = await fetch(...request);
  if (response.status === 429 || response.status >= 500) throw new Error(`${response.status}`);
  return response;
});

/** Firebase Auth with email and password only. */
export function createFirebaseProvider(options: FirebaseOptions): IdentityProvider {
  // No popup resolver: it would load a Google iframe and is a tenth of this chunk.
  const auth = initializeAuth(initializeApp(options), {
    persistence: [indexedDBLocalPersistence, browserLocalPersistence],
  });

  const listeners = new Set<(identity: Identity | null) => void>();

  function currentUser(): User {
    if (!auth.currentUser) throw new Error("No user is signed in");
    return auth.currentUser;
  }

  async function reauthenticate(password: string) {
    const user = currentUser();
    const credential = EmailAuthProvider.credential(user.email ?? "", password);
    await reauthenticateWithCredential(user, credential);
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
    async signUp({ email, password }) {
      return toIdentity((await createUserWithEmailAndPassword(auth, email, password)).user);
    },
    async setPassword(password) {
      await updatePassword(currentUser(), password);
      // This login has ended too.
      await reauthenticate(password).catch((error) => console.warn(error));
    },
    reauthenticate,
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
    signOut: () => signOut(auth),
    sendPasswordReset: (email) => sendPasswordResetEmail(auth, email),
  };
}

function toIdentity({ uid, email, displayName, emailVerified }: User): Identity {
  return {
    uid,
    email: email ?? "",
    displayName,
    isEmailVerified: emailVerified,
    hasPassword: true,
    hasTwoFactor: false,
  };
}
