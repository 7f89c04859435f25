import type { ErrorCode } from "@tapthru/proto/rules/errors";
import { APIError } from "better-auth/api";
import type { Context } from "koa";
import { ApiError } from "../../http/errors.ts";
import type { Auth } from "./auth.ts";
import type { BuiltIn } from "./built-in-identity.ts";

/** A login that gets one of them ends: it would get it again. */
const REFUSALS: ErrorCode[] = [
  "account-deleted",
  "account-disabled",
  "email-taken",
  "invitation-invalid",
  "sign-up-closed",
];

/** Ends the login at the built-in provider of who may have no account. @throws the error */
export async function endRefusedLogin(
  { builtIn }: { builtIn: BuiltIn | null },
  ctx: Context,
  error: unknown,
): Promise<never> {
  const isRefused = error instanceof ApiError && REFUSALS.includes(error.code);
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
    const code = CODES[libraryErrorCode(error)];
    if (code !== undefined) throw new ApiError(code);
    // Another user has confirmed the address in the meantime.
    const isUniqueViolation = error instanceof Error && "code" in error && error.code === "23505";
    if (isUniqueViolation) throw new ApiError("email-link-invalid");
    const cause = error instanceof Error ? error : new Error(String(error));
    throw new ApiError("unavailable", { cause });
  }
}

/** The library's error codes that people can do something about. */
const CODES: Record<string, ErrorCode> = {
  AUTHENTICATION_FAILED: "passkey-refused",
  ACCOUNT_TEMPORARILY_LOCKED: "too-many-requests",
  CHALLENGE_NOT_FOUND: "passkey-refused",
  // Another login used a recovery code at the same moment.
  CONFLICT: "login-expired",
  FAILED_TO_VERIFY_REGISTRATION: "passkey-refused",
  INVALID_BACKUP_CODE: "wrong-code",
  INVALID_CODE: "wrong-code",
  INVALID_EMAIL_OR_PASSWORD: "wrong-credentials",
  INVALID_PASSWORD: "wrong-credentials",
  INVALID_TOKEN: "email-link-invalid",
  INVALID_TWO_FACTOR_COOKIE: "login-expired",
  INVALID_USER: "email-link-invalid",
  PASSKEY_NOT_FOUND: "passkey-refused",
  PREVIOUSLY_REGISTERED: "passkey-refused",
  SESSION_NOT_FRESH: "recent-login-required",
  SESSION_REQUIRED: "login-required",
  TOKEN_EXPIRED: "email-link-invalid",
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: "login-expired",
  TOTP_ALREADY_ENABLED: "not-allowed",
  TOTP_NOT_ENABLED: "login-expired",
  UNABLE_TO_VERIFY_REGISTRATION: "passkey-refused",
  UNAUTHORIZED: "login-required",
  USER_NOT_FOUND: "email-link-invalid",
};

/** The code of an error of the library, or the name of its status; empty for other errors. */
export function libraryErrorCode(error: unknown): string {
  return error instanceof APIError ? String(error.body?.code ?? error.status) : "";
}
