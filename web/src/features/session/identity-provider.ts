import type { Login } from "@tapthru/proto/accounts";
import type { SignUpForm } from "@tapthru/proto/fields";

/**
 * The service that finds out who logs in, and opens their session: Firebase, or the one that is built into the api. Errors have
 * Firebase's `code`, such as "auth/user-disabled", or are the api's.
 */
export interface IdentityProvider {
  /** Opens a session for the login at the provider, unless the present one is as recent; null without a login. */
  restore(): Promise<Login | null>;
  /** @throws CodeRequiredError if a code is needed too, which completes the login: `builtIn.verifyCode` */
  logIn(email: string, password: string): Promise<Login>;
  /** Creates an account. After a failure, the next attempt with the same email continues it. */
  signUp(form: SignUpForm): Promise<Login>;
  /** This and the methods below act on who is logged in. Requires a recent login. The result is about all other sessions. */
  setPassword(change: {
    password: string;
    currentPassword: string;
    revokesKeys: boolean;
  }): Promise<{ hasEndedSessions: boolean; hasRevokedKeys: boolean }>;
  /**
   * Checks the password and renews the login, which changes of email address and password require.
   * @param code of the authenticator app, if two-factor login is on
   */
  reauthenticate(email: string, password: string, code: string): Promise<void>;
  /**
   * Sends a link to the new address. The address changes when the link is opened. Firebase then ends all logins.
   */
  sendEmailChange(newEmail: string): Promise<void>;
  /** Sends a link to the address of the identity, which confirms that it is theirs. */
  sendEmailConfirmation(): Promise<void>;
  /** After the logout of the api, with what it returned; undefined: it failed. */
  signOut(redirectUrl?: string | null): Promise<void>;
  sendPasswordReset(email: string): Promise<void>;
  /** Firebase's ID token; null: no user is signed in there. */
  getToken?(): Promise<string | null>;
  /** Firebase does not have these. */
  builtIn?: {
    /** Completes a login that requires a code, or turns two-factor login on. */
    verifyCode(code: string): Promise<Login>;
    logInWithPasskey(): Promise<Login>;
  };
}
