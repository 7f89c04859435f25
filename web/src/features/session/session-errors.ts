import { accountDisabled, emailTaken, invitationInvalid } from "@tapthru/proto/accounts";
import type { ErrorCode } from "@tapthru/proto/errors";
import { enterValidEmail, type SignUpForm } from "@tapthru/proto/fields";
import { emailNotConfigured, loginExpired, wrongCredentials } from "@tapthru/proto/identity";
import { HttpError, httpErrorOf, isNetworkFailure, refusalOf } from "../../lib/http/http-client.ts";
import { errorCode, isProviderUnreachable } from "./failures.ts";
import { invitation } from "./invitation.ts";

const TOO_MANY_ATTEMPTS = "Too many attempts. Please wait a few minutes and try again.";

export const SIGN_UP_BY_INVITATION =
  "You need an invitation to create an account here. Open the link from the operator of this site.";

export const PASSWORD_REPLY_LOST =
  "No reply arrived. Your password may have been changed: please try to log in with it.";

const PASSWORD_TOO_WEAK = "Please choose a stronger password.";

type ByCode<Value> = Partial<Record<ErrorCode | `auth/${string}`, Value>>;

/** By error code of Firebase. The api says what it refuses, except for these. */
const TEXTS: ByCode<string> = {
  "auth/too-many-requests": TOO_MANY_ATTEMPTS,
  "too-many-requests": TOO_MANY_ATTEMPTS,
  "login-required": loginExpired.message,
  "email-not-configured": emailNotConfigured.message,
  "auth/user-disabled": accountDisabled.message,
  "auth/weak-password": PASSWORD_TOO_WEAK,
  "auth/password-does-not-meet-requirements": PASSWORD_TOO_WEAK,
  "auth/email-already-in-use": emailTaken.message,
  "auth/invalid-email": enterValidEmail,
  "auth/invalid-new-email": enterValidEmail,
};

/** Null if the cause is unknown. */
function causeOf(error: unknown): string | null {
  if (isProviderUnreachable(error))
    return "The login service could not be reached. Please check your connection and try again.";
  const code = errorCode(error);
  if (code === invitationInvalid.code && invitation.get() === undefined) return SIGN_UP_BY_INVITATION;
  return TEXTS[code as keyof typeof TEXTS] ?? refusalOf(error)?.text ?? null;
}

export function loginErrorMessage(error: unknown): string {
  const cause = causeOf(error);
  if (cause) return cause;
  if (error instanceof HttpError) return error.text;
  return isBackendError(error) ? error.message : wrongCredentials.message;
}

function isBackendError(error: unknown): error is Error {
  return error instanceof Error && (httpErrorOf(error) !== null || isNetworkFailure(error));
}

const PASSWORD_FIELDS = {
  "breached-password": "password",
  "auth/weak-password": "password",
  "auth/password-does-not-meet-requirements": "password",
} as const;

/** The fields of a sign-up, by error code. */
const SIGN_UP_FIELDS: ByCode<keyof SignUpForm> = {
  ...PASSWORD_FIELDS,
  "username-taken": "username",
  "email-taken": "email",
  "auth/email-already-in-use": "email",
  "auth/invalid-email": "email",
};

/** The field that caused a failed sign-up, or another cause to display. Empty if the cause is unknown. */
export function signUpError(error: unknown): { field?: [keyof SignUpForm, string]; cause?: string } {
  const field = SIGN_UP_FIELDS[errorCode(error) as keyof typeof SIGN_UP_FIELDS];
  const cause = causeOf(error) ?? (isBackendError(error) ? "Failed to sync with backend" : null);
  if (cause === null) return {};
  return field ? { field: [field, cause] } : { cause };
}

type ProfileField = "email" | "password" | "currentPassword" | "code";

const PROFILE_FIELDS: ByCode<ProfileField> = {
  ...PASSWORD_FIELDS,
  "auth/invalid-email": "email",
  "auth/invalid-new-email": "email",
  "wrong-credentials": "currentPassword",
  "auth/wrong-password": "currentPassword",
  "auth/invalid-credential": "currentPassword",
  "auth/invalid-login-credentials": "currentPassword",
  "wrong-code": "code",
  "code-used": "code",
};

/**
 * The field that caused a failed change of the profile, or "root", and the message to display.
 * @param fallback the message if the cause is unknown
 */
export function profileError(error: unknown, fallback: string): [ProfileField | "root", string] {
  const field = PROFILE_FIELDS[errorCode(error) as keyof typeof PROFILE_FIELDS] ?? "root";
  if (field === "currentPassword") return [field, "This is not your current password."];
  return [field, causeOf(error) ?? fallback];
}
