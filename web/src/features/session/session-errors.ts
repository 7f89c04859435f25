import type { SignUpForm } from "@tapthru/proto/http/fields";
import { messages } from "@tapthru/proto/rules/messages";
import { httpErrorOf, isNetworkFailure } from "../../lib/http/http-client.ts";
import { ProviderUnavailableError, providerCode } from "./failures.ts";

/** Provider errors that do not depend on the form's values. */
const PROVIDER_ERRORS: Record<string, string> = {
  "auth/too-many-requests": messages.tooManyAttempts,
  "auth/network-request-failed": messages.providerUnreachable,
  "auth/user-disabled": messages.accountDisabled,
};

function providerMessage(error: unknown): string | null {
  if (error instanceof ProviderUnavailableError) {
    const isConfigured = error.cause !== undefined;
    return isConfigured ? messages.providerUnreachable : error.message;
  }
  return PROVIDER_ERRORS[providerCode(error) ?? ""] ?? null;
}

/** The message to display after a failed login. */
export function loginErrorMessage(error: unknown): string {
  const cause = providerMessage(error);
  if (cause) return cause;
  return isBackendError(error) ? error.message : messages.invalidEmailOrPassword;
}

function isBackendError(error: unknown): error is Error {
  return error instanceof Error && (httpErrorOf(error) !== null || isNetworkFailure(error));
}

type FieldError = [field: keyof SignUpForm, message: string];

/** The errors of fields by error code of the api or of the identity provider. */
const FIELD_ERRORS: Record<string, FieldError> = {
  "username-taken": ["username", messages.usernameTaken],
  "email-taken": ["email", messages.emailTaken],
  "auth/email-already-in-use": ["email", messages.emailTaken],
  "auth/invalid-email": ["email", messages.enterValidEmail],
  "auth/weak-password": ["password", messages.passwordTooWeak],
  "auth/password-does-not-meet-requirements": ["password", messages.passwordTooWeak],
};

/** The field that caused a failed sign-up, or another cause to display. Empty if the cause is unknown. */
export function signUpError(error: unknown): { field?: FieldError; cause?: string } {
  const field = FIELD_ERRORS[httpErrorOf(error)?.code ?? providerCode(error) ?? ""];
  if (field) return { field };
  const cause = providerMessage(error) ?? (isBackendError(error) ? messages.failedToSync : null);
  return cause ? { cause } : {};
}

type ProfileField = "username" | "email" | "password" | "currentPassword";

const WRONG_PASSWORD: [ProfileField, string] = ["currentPassword", messages.wrongPassword];

/** By error code of the api or of the identity provider. */
const PROFILE_ERRORS: Record<string, [ProfileField, string]> = {
  "username-taken": ["username", messages.usernameTaken],
  "auth/invalid-email": ["email", messages.enterValidEmail],
  "auth/invalid-new-email": ["email", messages.enterValidEmail],
  "auth/weak-password": ["password", messages.passwordTooWeak],
  "auth/password-does-not-meet-requirements": ["password", messages.passwordTooWeak],
  "auth/wrong-password": WRONG_PASSWORD,
  "auth/invalid-credential": WRONG_PASSWORD,
  "auth/invalid-login-credentials": WRONG_PASSWORD,
};

/**
 * The field that caused a failed change of the profile, or "root", and the message to display.
 * @param fallback the message if the cause is unknown
 */
export function profileError(error: unknown, fallback: string): [ProfileField | "root", string] {
  const known = PROFILE_ERRORS[httpErrorOf(error)?.code ?? providerCode(error) ?? ""];
  if (known) return known;
  if (httpErrorOf(error)?.status === 429) return ["root", messages.tooManyAttempts];
  return ["root", providerMessage(error) ?? fallback];
}
