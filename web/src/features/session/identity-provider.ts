/** A user of the identity provider. */
export interface Identity {
  uid: string;
  email: string;
  displayName: string | null;
}

/** The external service that stores passwords. Its errors have a `code` such as "auth/user-disabled". */
export interface IdentityProvider {
  /** Calls the listener now and after each change, including changes of the name and changes by other tabs. */
  onChange(listener: (identity: Identity | null) => void): () => void;
  /** The identity that is signed in. */
  current(): Identity | null;
  signIn(email: string, password: string): Promise<Identity>;
  /** Creates an identity and signs it in. */
  signUp(email: string, password: string): Promise<Identity>;
  /** This and the methods below act on the signed-in identity. */
  setPassword(password: string): Promise<void>;
  /** Checks the password and renews the login, which changes of email address and password require. */
  reauthenticate(password: string): Promise<void>;
  /**
   * Sends a link to the new address. The address changes when the link is opened. Firebase then ends all logins; its
   * emulator does not.
   */
  sendEmailChange(newEmail: string): Promise<void>;
  /** Sends a link to the address of the identity, which confirms that it is theirs. */
  sendEmailConfirmation(): Promise<void>;
  setDisplayName(name: string): Promise<void>;
  deleteIdentity(): Promise<void>;
  /** The ID token for the backend. `fresh` forces a new one. */
  getToken(options?: { fresh: boolean }): Promise<string>;
  signOut(): Promise<void>;
  sendPasswordReset(email: string): Promise<void>;
}
