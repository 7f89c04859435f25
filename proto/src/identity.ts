/**
 * The calls of the built-in identity provider, with which pages log people in. They act on the login that the provider's own
 * cookie names, and are not part of the public API: all other calls work with any identity provider.
 */

import * as z from "zod/mini";
import { invitationToken, Login } from "./accounts.ts";
import type { Call } from "./call.ts";
import { displayedText, email, password, username } from "./fields.ts";
import { error } from "./rules/error.ts";
import { PASSKEYS_MAX_COUNT, PASSWORD_MAX_LENGTH } from "./rules/limits.ts";

const EMAIL_LINK_TOKEN_MAX_LENGTH = 1_000;
const PASSKEY_NAME_MAX_LENGTH = 50;

export const breachedPassword = error(
  "breached-password",
  422,
  "This password is on public lists of leaked passwords. Please choose another one.",
);
export const codeUsed = error("code-used", 401, "This code was already used. Please log in again with the next one.");
export const emailLinkInvalid = error(
  "email-link-invalid",
  410,
  "This link has expired or was already used. Please request a new one.",
);
export const emailLinkOfOtherAccount = error(
  "email-link-of-other-account",
  403,
  "This link is for another account than the one you are logged in to. Log out first, or open it in another browser.",
);
export const emailNotConfigured = error(
  "email-not-configured",
  503,
  "This site cannot send emails. Please ask its operator for help.",
);
export const loginExpired = error("login-expired", 401, "Please log in again.");
export const passkeyRefused = error("passkey-refused", 401, "The passkey was not accepted.");
export const tooManyPasskeys = error(
  "too-many-passkeys",
  409,
  `You have ${PASSKEYS_MAX_COUNT} passkeys, the maximum. Please delete one first.`,
);
export const wrongCode = error("wrong-code", 401, "The code is wrong or no longer valid.");
export const wrongCredentials = error("wrong-credentials", 401, "Invalid email or password.");

/** A password that is compared, not stored. */
const knownPassword = z.string().check(z.minLength(1), z.maxLength(PASSWORD_MAX_LENGTH));
const emailToken = z
  .string()
  .check(
    z.maxLength(EMAIL_LINK_TOKEN_MAX_LENGTH, { error: emailLinkInvalid.message, abort: true }),
    z.regex(/^[\w.-]+$/, emailLinkInvalid.message),
  );
/** A path of this site, to which the person returns. */
const returnPath = z.string().check(z.regex(/^\/(?![/\\])[\w\-./?=&%]*$/));
const nothing = z.object({});

const define =
  <M extends Call["method"]>(method: M) =>
  <P extends string, const D extends Omit<Call, "method" | "path">>(path: P, definition: D) => ({
    method,
    path,
    ...definition,
  });
const [get, post, put, remove] = [define("GET"), define("POST"), define("PUT"), define("DELETE")];

/**
 * Creates an account and logs in. The reply is the same for an address that another identity has. Where no email can be sent, such an
 * address gets 409, as a taken username does everywhere.
 */
export const signUpIdentity = post("/api/auth/sign-up", {
  body: z.strictObject({
    displayName: username,
    email,
    password,
    invitation: z.optional(invitationToken),
  }),
  replies: { 200: Login },
});

/** Logs in; null: the second factor is required. 401 for an unknown address and for a wrong password. */
export const signInIdentity = post("/api/auth/sign-in", {
  body: z.strictObject({ email, password: knownPassword }),
  replies: { 200: z.object({ login: z.nullable(Login) }) },
});

/**
 * Checks a code of the authenticator app or a recovery code, each of which is valid once. It completes a login that needs one, or turns two-factor
 * login on after `startTwoFactor`.
 */
export const verifyCode = post("/api/auth/code", {
  body: z.strictObject({ code: z.string().check(z.trim(), z.minLength(6), z.maxLength(32)) }),
  replies: { 200: Login },
});

/** Who is logged in at the provider, also without a session, which `POST /api/login` opens. 401: no user is logged in. */
export const getIdentity = get("/api/auth/identity", {
  replies: { 200: z.extend(Login.shape.identity, { displayName: z.string() }) },
});

/** `redirectUrl`: where an OpenID provider ends its own login. */
export const signOutIdentity = post("/api/auth/sign-out", {
  access: "anyone",
  replies: { 200: z.object({ redirectUrl: z.nullable(z.string()) }) },
});

/** Sends a link with which the password can be changed. The reply is the same for an unknown address. */
export const requestPasswordReset = post("/api/auth/password-reset", {
  body: z.strictObject({ email }),
  replies: { 200: nothing },
});

export const listKeysOfReset = post("/api/auth/password-reset/keys", {
  body: z.strictObject({ token: emailToken }),
  replies: { 200: z.object({ names: z.array(z.string()) }) },
});

/** Changes the password with the token of the emailed link, and ends all logins. `revokesKeys`: revokes all API keys, too. */
export const resetPassword = put("/api/auth/password-reset", {
  body: z.strictObject({
    token: emailToken,
    password,
    revokesKeys: z._default(z.boolean(), false),
  }),
  replies: { 200: nothing },
});

/**
 * Requires a recent login. Ends all other logins and their sessions; `hasEndedSessions` is false if the sessions end only at their
 * next check. `revokesKeys`: revokes all API keys, too; `hasRevokedKeys`: it was done.
 */
export const changePassword = put("/api/auth/password", {
  body: z.strictObject({
    currentPassword: knownPassword,
    password,
    revokesKeys: z._default(z.boolean(), false),
  }),
  replies: { 200: z.object({ hasEndedSessions: z.boolean(), hasRevokedKeys: z.boolean() }) },
});

export const sendEmailConfirmation = post("/api/auth/email-confirmation", { replies: { 200: nothing } });

/** Sends a link to the new address. The address changes when it is confirmed. Requires a recent login. */
export const changeEmail = put("/api/auth/email", {
  body: z.strictObject({ email }),
  replies: { 200: nothing },
});

/**
 * Confirms an address with the token of the emailed link. Requires the login or the password of its account, as people also get the
 * links of accounts that others made with their address. 403: another account is logged in here; the link remains valid.
 */
export const confirmEmail = put("/api/auth/email-confirmation", {
  body: z.strictObject({ token: emailToken, password: z.optional(knownPassword) }),
  replies: { 200: nothing },
});

/** Requires a recent login. Two-factor login is on after `verifyCode`. */
export const startTwoFactor = post("/api/auth/two-factor", {
  body: z.strictObject({ password: knownPassword }),
  replies: {
    200: z.object({
      setupUrl: z.string(),
      recoveryCodes: z.array(z.string()),
    }),
  },
});

/** Replaces the recovery codes. Requires a recent login. */
export const replaceRecoveryCodes = post("/api/auth/recovery-codes", {
  body: z.strictObject({ password: knownPassword }),
  replies: { 200: z.object({ recoveryCodes: z.array(z.string()) }) },
});

/** Requires a recent login. */
export const endTwoFactor = remove("/api/auth/two-factor", {
  body: z.strictObject({ password: knownPassword }),
  replies: { 200: nothing },
});

export const Passkey = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: z.iso.datetime(),
  /** The only host at which it works, if that is not the one of this site. */
  otherHost: z.nullable(z.string()),
});

export const listPasskeys = get("/api/auth/passkeys", { replies: { 200: z.array(Passkey) } });

/** The options with which the browser creates or uses a passkey, and its response: JSON of WebAuthn level 3. */
const webAuthn = z.record(z.string(), z.unknown());

/** The options with which the browser creates a passkey. Requires a recent login. */
export const startPasskey = post("/api/auth/passkeys/options", { replies: { 200: webAuthn } });

export const createPasskey = post("/api/auth/passkeys", {
  body: z.strictObject({
    name: displayedText(PASSKEY_NAME_MAX_LENGTH, {
      required: "Name is required",
      tooLong: `Name must be at most ${PASSKEY_NAME_MAX_LENGTH} characters`,
    }),
    response: webAuthn,
  }),
  replies: { 200: nothing },
});

/** Requires a recent login. */
export const deletePasskey = remove("/api/auth/passkeys/:id", {
  params: z.object({ id: z.string().check(z.regex(/^[\w-]{1,64}$/)) }),
  replies: { 200: nothing },
});

export const startPasskeyLogin = post("/api/auth/passkey-login/options", { replies: { 200: webAuthn } });

export const signInWithPasskey = post("/api/auth/passkey-login", {
  body: z.strictObject({ response: webAuthn }),
  replies: { 200: Login },
});

/**
 * Starts a login at the OpenID provider, which ends at `returnPath`, or at /login?login_error=CODE if it failed. CODE is one
 * of OPEN_ID_ERRORS.
 */
export const startOpenIdLogin = post("/api/auth/open-id", {
  body: z.strictObject({
    returnPath,
    /** Requires the password again, also if the user is logged in at the provider. */
    confirmsIdentity: z._default(z.boolean(), false),
  }),
  replies: { 200: z.object({ url: z.string() }) },
});

/** The address to which an OpenID provider returns. Operators enter it there. */
export const OPEN_ID_CALLBACK_PATH = "/api/auth/callback/oidc";

/** canceled: the person or the provider has refused it. no_email: the provider sends no email address. failed: anything else. */
export const OPEN_ID_ERRORS = ["canceled", "no_email", "unavailable", "failed"] as const;
export type OpenIdError = (typeof OPEN_ID_ERRORS)[number];
