import { accountDeleted, accountDisabled, emailTaken, invitationInvalid, signUpClosed } from "@tapthru/proto/accounts";
import {
  loginRequired,
  notAllowed,
  recentLoginRequired,
  tooManyRequests,
  unavailable,
} from "@tapthru/proto/general-errors";
import { emailLinkInvalid, loginExpired, passkeyRefused, wrongCode, wrongCredentials } from "@tapthru/proto/identity";
import type { ErrorReply } from "@tapthru/proto/rules/error";
import { APIError } from "better-auth/api";
import type { Context } from "koa";
import { ApiError } from "../../http/errors.ts";
import type { Auth } from "./auth.ts";
import type { BuiltIn } from "./built-in-identity.ts";

/** A login that gets one of them ends: it would get it again. */
const REFUSALS: readonly ErrorReply[] = [accountDeleted, accountDisabled, emailTaken, invitationInvalid, signUpClosed];

/** Ends the login at the built-in provider of who may have no account. @throws the error */
export async function endRefusedLogin(
  { builtIn }: { builtIn: BuiltIn | null },
  ctx: Context,
  error: unknown,
): Promise<never> {
  const isRefused = error instanceof ApiError && REFUSALS.some(({ code }) => code === error.code);
  if (isRefused && builtIn !== null) await signOut(builtIn, ctx);
  throw error;
}

/** Ends the login of the browser at the provider. @returns where an OpenID provider ends its own login */
export async function signOut({ auth, openId }: BuiltIn, ctx: Context): Promise<string | null> {
  const body = { callbackURL: "/", disableRedirect: true };
  const { url } = await callLibrary(ctx, (options) => {
    const call = (library: Auth) => library.api.signOut({ ...options, body });
    return openId === null ? call(auth) : openId.call(ctx, call);
  });
  return url ?? null;
}

export type LibraryCall<T> = (options: {
  headers: Headers;
  returnHeaders: true;
}) => Promise<{ headers: Headers; response: T }>;

/**
 * Calls a function of the library for a request, with the cookies of the browser, and sets the cookies of the result.
 * @throws ApiError also if Postgres is unavailable, of which the library says only that it failed
 */
export async function callLibrary<T>(ctx: Context, call: LibraryCall<T>): Promise<T> {
  const cookies = new Headers({ cookie: ctx.get("Cookie"), "user-agent": ctx.get("User-Agent") });
  try {
    const { headers, response } = await call({ headers: cookies, returnHeaders: true });
    for (const cookie of headers.getSetCookie()) ctx.res.appendHeader("Set-Cookie", cookie);
    return response;
  } catch (error) {
    if (error instanceof ApiError) throw error;
    const known = KNOWN_ERRORS[libraryErrorCode(error)];
    if (known !== undefined) throw new ApiError(known);
    // Another user has confirmed the address in the meantime.
    const isUniqueViolation = error instanceof Error && "code" in error && error.code === "23505";
    if (isUniqueViolation) throw new ApiError(emailLinkInvalid);
    const cause = error instanceof Error ? error : new Error(String(error));
    throw new ApiError(unavailable, { cause });
  }
}

const KNOWN_ERRORS: Record<string, ErrorReply> = {
  AUTHENTICATION_FAILED: passkeyRefused,
  ACCOUNT_TEMPORARILY_LOCKED: tooManyRequests,
  CHALLENGE_NOT_FOUND: passkeyRefused,
  // Another login used a recovery code at the same moment.
  CONFLICT: loginExpired,
  FAILED_TO_VERIFY_REGISTRATION: passkeyRefused,
  INVALID_BACKUP_CODE: wrongCode,
  INVALID_CODE: wrongCode,
  INVALID_EMAIL_OR_PASSWORD: wrongCredentials,
  INVALID_PASSWORD: wrongCredentials,
  INVALID_TOKEN: emailLinkInvalid,
  INVALID_TWO_FACTOR_COOKIE: loginExpired,
  INVALID_USER: emailLinkInvalid,
  PASSKEY_NOT_FOUND: passkeyRefused,
  PREVIOUSLY_REGISTERED: passkeyRefused,
  SESSION_NOT_FRESH: recentLoginRequired,
  SESSION_REQUIRED: loginRequired,
  TOKEN_EXPIRED: emailLinkInvalid,
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: loginExpired,
  TOTP_ALREADY_ENABLED: notAllowed,
  TOTP_NOT_ENABLED: loginExpired,
  UNABLE_TO_VERIFY_REGISTRATION: passkeyRefused,
  UNAUTHORIZED: loginRequired,
  USER_NOT_FOUND: emailLinkInvalid,
};

export function libraryErrorCode(error: unknown): string {
  return error instanceof APIError ? String(error.body?.code ?? error.status) : "";
}
