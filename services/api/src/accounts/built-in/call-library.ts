import type { ErrorCode } from "@tapthru/proto/rules/errors";
import { APIError } from "better-auth/api";
import type { Context } from "koa";
import { ApiError } from "../../errors.ts";

/** The library's error codes that people can do something about. */
const CODES: Record<string, ErrorCode> = {
  AUTHENTICATION_FAILED: "passkey-refused",
  ACCOUNT_TEMPORARILY_LOCKED: "too-many-requests",
  CHALLENGE_NOT_FOUND: "passkey-refused",
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

/** The code of an error of the library; null for other errors. */
export function libraryErrorCode(error: unknown): string | null {
  return error instanceof APIError ? (error.body?.code ?? "") : null;
}

export interface LibraryOptions {
  headers: Headers;
  returnHeaders: true;
}

/**
 * Calls a function of the library for a request, with the cookies of the browser, and sets the cookies of the result.
 * @throws ApiError also if Postgres is unavailable, of which the library says only that it failed
 */
export async function callLibrary<T>(
  ctx: Context,
  call: (options: LibraryOptions) => Promise<{ headers: Headers; response: T }>,
): Promise<T> {
  const cookies = new Headers({ cookie: ctx.get("Cookie"), "user-agent": ctx.get("User-Agent") });
  try {
    const { headers, response } = await call({ headers: cookies, returnHeaders: true });
    for (const cookie of headers.getSetCookie()) ctx.res.appendHeader("Set-Cookie", cookie);
    return response;
  } catch (error) {
    throw toApiError(error);
  }
}

function toApiError(error: unknown): unknown {
  const code = libraryErrorCode(error);
  if (error instanceof ApiError) return error;
  const known = code === null ? undefined : CODES[code];
  if (known !== undefined) return new ApiError(known);
  if (isUniqueViolation(error)) return new ApiError("email-link-invalid");
  const cause = error instanceof Error ? error : new Error(String(error));
  return new ApiError("unavailable", { cause });
}

/** Another user has confirmed the address in the meantime. */
function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "23505";
}
