import { accountDisabled, emailTaken, invitationInvalid, signUpClosed, usernameTaken } from "@tapthru/proto/accounts";
import { enterValidEmail, type SignUpForm } from "@tapthru/proto/fields";
import { loginRequired, recentLoginRequired, tooManyRequests } from "@tapthru/proto/general-errors";
import {
  breachedPassword,
  codeUsed,
  emailLinkInvalid,
  emailLinkOfOtherAccount,
  emailNotConfigured,
  loginExpired,
  tooManyPasskeys,
  wrongCode,
  wrongCredentials,
} from "@tapthru/proto/identity";
import { HttpError, httpErrorOf, isNetworkFailure } from "../../lib/http/http-client.ts";
import { errorCode, isProviderUnreachable } from "./failures.ts";
import { invitation } from "./invitation.ts";

const TOO_MANY_ATTEMPTS = "Too many attempts. Please wait a few minutes and try again.";

export const SIGN_UP_BY_INVITATION =
  "You need an invitation to create an account here. Open the link from the operator of this site.";

export const PASSWORD_REPLY_LOST =
  "No reply arrived. Your password may have been changed: please try to log in with it.";

const PASSWORD_TOO_WEAK = "Please choose a stronger password.";

/** Errors of the api or of Firebase that do not depend on the form's values. */
const CAUSES: Record<string, string> = {
  "auth/too-many-requests": TOO_MANY_ATTEMPTS,
  [tooManyRequests.code]: TOO_MANY_ATTEMPTS,
  "auth/user-disabled": accountDisabled.message,
  [loginRequired.code]: loginExpired.message,
  ...Object.fromEntries(
    [
      accountDisabled,
      signUpClosed,
      invitationInvalid,
      emailNotConfigured,
      emailLinkInvalid,
      emailLinkOfOtherAccount,
      loginExpired,
      recentLoginRequired,
      tooManyPasskeys,
    ].map(({ code, message }) => [code, message]),
  ),
};

function causeOf(error: unknown): string | null {
  if (isProviderUnreachable(error))
    return "The login service could not be reached. Please check your connection and try again.";
  const code = errorCode(error);
  if (code === invitationInvalid.code && invitation.get() === undefined) {
    return SIGN_UP_BY_INVITATION;
  }
  return CAUSES[code] ?? null;
}

export function loginErrorMessage(error: unknown): string {
  const cause = causeOf(error);
  if (cause) return cause;
  // A refusal by the built-in provider. Those of the backend are the cause of another error.
  if (error instanceof HttpError) return error.text;
  return isBackendError(error) ? error.message : wrongCredentials.message;
}

function isBackendError(error: unknown): error is Error {
  return error instanceof Error && (httpErrorOf(error) !== null || isNetworkFailure(error));
}

type FieldError = [field: keyof SignUpForm, message: string];

/** By error code of the api or of Firebase. */
const PASSWORD_ERRORS: Record<string, ["password", string]> = {
  [breachedPassword.code]: ["password", breachedPassword.message],
  "auth/weak-password": ["password", PASSWORD_TOO_WEAK],
  "auth/password-does-not-meet-requirements": ["password", PASSWORD_TOO_WEAK],
};

const FIELD_ERRORS: Record<string, FieldError> = {
  ...PASSWORD_ERRORS,
  [usernameTaken.code]: ["username", usernameTaken.message],
  [emailTaken.code]: ["email", emailTaken.message],
  "auth/email-already-in-use": ["email", emailTaken.message],
  "auth/invalid-email": ["email", enterValidEmail],
};

/** The field that caused a failed sign-up, or another cause to display. Empty if the cause is unknown. */
export function signUpError(error: unknown): { field?: FieldError; cause?: string } {
  const field = FIELD_ERRORS[errorCode(error)];
  if (field) return { field };
  const cause = causeOf(error) ?? (isBackendError(error) ? "Failed to sync with backend" : null);
  return cause ? { cause } : {};
}

type ProfileField = "email" | "password" | "currentPassword" | "code";

const WRONG_PASSWORD: [ProfileField, string] = ["currentPassword", "This is not your current password."];

const PROFILE_ERRORS: Record<string, [ProfileField, string]> = {
  ...PASSWORD_ERRORS,
  "auth/invalid-email": ["email", enterValidEmail],
  "auth/invalid-new-email": ["email", enterValidEmail],
  [wrongCredentials.code]: WRONG_PASSWORD,
  "auth/wrong-password": WRONG_PASSWORD,
  "auth/invalid-credential": WRONG_PASSWORD,
  "auth/invalid-login-credentials": WRONG_PASSWORD,
  [wrongCode.code]: ["code", wrongCode.message],
  [codeUsed.code]: ["code", codeUsed.message],
};

/**
 * The field that caused a failed change of the profile, or "root", and the message to display.
 * @param fallback the message if the cause is unknown
 */
export function profileError(error: unknown, fallback: string): [ProfileField | "root", string] {
  return PROFILE_ERRORS[errorCode(error)] ?? ["root", causeOf(error) ?? fallback];
}
