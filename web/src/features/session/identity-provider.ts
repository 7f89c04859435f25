/** A user of the identity provider. */
export interface Identity {
  uid: string;
  email: string;
  displayName: string | null;
  isEmailVerified: boolean;
  /** False for people who log in at an OpenID provider only. */
  hasPassword: boolean;
  /** Whether a login with the password also needs a code. Always false with Firebase. */
  hasTwoFactor: boolean;
}

interface NewIdentity {
  username: string;
  email: string;
  password: string;
}

/**
 * The service that finds out who logs in: Firebase, or the one that is built into the api. Errors have Firebase's `code`, such as
 * "auth/user-disabled", or are the api's.
 */
export interface IdentityProvider {
  /** Calls the listener now and after each change, including changes of the name and changes by other tabs. */
  onChange(listener: (identity: Identity | null) => void): () => void;
  /** The identity that is signed in. */
  current(): Identity | null;
  /** @throws CodeRequiredError if a code is needed too, which completes the login: `builtIn.verifyCode` */
  signIn(email: string, password: string): Promise<Identity>;
  /** Creates an identity and signs it in. */
  signUp(identity: NewIdentity): Promise<Identity>;
  /** This and the methods below act on the signed-in identity. Requires a recent login. Ends all other logins. */
  setPassword(password: string, currentPassword: string): Promise<void>;
  /**
   * Checks the password and renews the login, which changes of email address and password require.
   * @param code of the authenticator app, if two-factor login is on
   */
  reauthenticate(password: string, code: string): Promise<void>;
  /**
   * Sends a link to the new address. The address changes when the link is opened. Firebase then ends all logins.
   */
  sendEmailChange(newEmail: string): Promise<void>;
  /** Sends a link to the address of the identity, which confirms that it is theirs. */
  sendEmailConfirmation(): Promise<void>;
  setDisplayName(name: string): Promise<void>;
  deleteIdentity(): Promise<void>;
  /** The ID token for the backend. `fresh` forces a new one. */
  getToken(options?: { fresh: boolean }): Promise<string>;
  /** `isLocal` keeps the login at an OpenID provider, whose page the browser otherwise visits. */
  signOut(options?: { isLocal: boolean }): Promise<void>;
  sendPasswordReset(email: string): Promise<void>;
  /** What Firebase does not have. */
  builtIn?: BuiltInLogins;
}

interface BuiltInLogins {
  /** Completes a login that requires a code. */
  verifyCode(code: string): Promise<Identity>;
  signInWithPasskey(): Promise<Identity>;
  /** Fetches the identity again, after a change by another call. If that fails, later: the change was made. */
  refresh(): Promise<void>;
}
