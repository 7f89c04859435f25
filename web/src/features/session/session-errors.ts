import type { SignUpForm } from "@tapthru/proto/http/fields";
import { messages } from "@tapthru/proto/rules/messages";
import { isNetworkFailure } from "../../lib/http-client.ts";
import { ProviderUnavailableError, providerCode, refusal } from "./failures.ts";

/** What the provider says that has nothing to do with what was typed. */
const PROVIDER_TROUBLE: Record<string, string> = {
  "auth/too-many-requests": messages.tooManyAttempts,
  "auth/network-request-failed": messages.providerUnreachable,
  "auth/user-disabled": messages.accountDisabled,
};

function causeOf(error: unknown): string | null {
  if (error instanceof ProviderUnavailableError) return error.message;
  return PROVIDER_TROUBLE[providerCode(error) ?? ""] ?? null;
}

/** Why a login failed, in a sentence for people. */
export function loginErrorMessage(error: unknown): string {
  const cause = causeOf(error);
  if (cause) return cause;
  return isOfBackend(error) ? error.message : messages.invalidEmailOrPassword;
}

function isOfBackend(error: unknown): error is Error {
  return error instanceof Error && (refusal(error) !== null || isNetworkFailure(error));
}

type FieldError = [field: keyof SignUpForm, message: string];

/** By the code of the api or of the identity provider. */
const FIELD_TROUBLE: Record<string, FieldError> = {
  "username-taken": ["username", messages.usernameTaken],
  "email-taken": ["email", messages.emailTaken],
  "auth/email-already-in-use": ["email", messages.emailTaken],
  "auth/invalid-email": ["email", messages.enterValidEmail],
  "auth/weak-password": ["password", messages.passwordTooWeak],
  "auth/password-does-not-meet-requirements": ["password", messages.passwordTooWeak],
};

/** Which field made a sign-up fail, or what else did, as far as it can be said. */
export function signUpError(error: unknown): { field?: FieldError; cause?: string } {
  const field = FIELD_TROUBLE[refusal(error)?.code ?? providerCode(error) ?? ""];
  if (field) return { field };
  const cause = causeOf(error) ?? (isOfBackend(error) ? messages.failedToSync : null);
  return cause ? { cause } : {};
}
