/** Whom the identity provider knows. */
export interface Identity {
  uid: string;
  email: string;
  displayName: string | null;
}

/** The outside service that keeps passwords. Its failures carry a `code` such as "auth/user-disabled". */
export interface IdentityProvider {
  /** Tells who is signed in, now and after each change, also of the name or by another tab. */
  onChange(listener: (identity: Identity | null) => void): () => void;
  /** Who is signed in right now. */
  current(): Identity | null;
  signIn(email: string, password: string): Promise<Identity>;
  /** Makes an identity and signs it in. */
  signUp(email: string, password: string): Promise<Identity>;
  /** Of the identity that is signed in, as are the calls below. */
  setPassword(password: string): Promise<void>;
  setDisplayName(name: string): Promise<void>;
  deleteIdentity(): Promise<void>;
  /** The ID token the backend trusts; `fresh` asks for a new one. */
  getToken(options?: { fresh: boolean }): Promise<string>;
  signOut(): Promise<void>;
  sendPasswordReset(email: string): Promise<void>;
}
