import { type FirebaseOptions, initializeApp } from "firebase/app";
import {
  browserLocalPersistence,
  connectAuthEmulator,
  createUserWithEmailAndPassword,
  indexedDBLocalPersistence,
  initializeAuth,
  onAuthStateChanged,
  sendPasswordResetEmail,
  signInWithEmailAndPassword,
  signOut,
  type User,
  updatePassword,
  updateProfile,
} from "firebase/auth";
import type { Identity, IdentityProvider } from "./identity-provider.ts";

interface FirebaseSettings {
  options: FirebaseOptions;
  /** Where the emulator stands, instead of Google. */
  emulatorUrl: string | null;
}

/** Firebase Auth, for e-mail and password alone. */
export function createFirebaseProvider({
  options,
  emulatorUrl,
}: FirebaseSettings): IdentityProvider {
  // No popup resolver: it would load a frame of Google's, and be a tenth of this script.
  const auth = initializeAuth(initializeApp(options), {
    persistence: [indexedDBLocalPersistence, browserLocalPersistence],
  });
  if (emulatorUrl) connectAuthEmulator(auth, emulatorUrl, { disableWarnings: true });

  const listeners = new Set<(identity: Identity | null) => void>();

  function currentUser(): User {
    if (!auth.currentUser) throw new Error("Nobody is signed in");
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
    async setDisplayName(displayName) {
      const user = currentUser();
      await updateProfile(user, { displayName });
      // Firebase tells nobody of it.
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

function toIdentity({ uid, email, displayName }: User): Identity {
  return { uid, email: email ?? "", displayName };
}
