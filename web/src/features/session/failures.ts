import { messages } from "@tapthru/proto/rules/messages";
import { HttpError } from "../../lib/http-client.ts";

/** The identity provider could not be loaded, or this installation has none. */
export class ProviderUnavailableError extends Error {
  override name = "ProviderUnavailableError";

  constructor(options?: ErrorOptions) {
    super(messages.identityProviderUnavailable, options);
  }
}

/** The identity provider's code, such as "auth/user-disabled". */
export function providerCode(error: unknown): string | null {
  if (!(error instanceof Error) || !("code" in error)) return null;
  return typeof error.code === "string" && error.code.startsWith("auth/") ? error.code : null;
}

/** The identity provider gave no answer, so that what is known goes on holding. */
export function isProviderUnreachable(error: unknown): boolean {
  return providerCode(error) === "auth/network-request-failed";
}

/** The backend's refusal behind an error, if it is one. */
export function httpErrorOf(error: unknown): HttpError | null {
  if (error instanceof HttpError) return error;
  return error instanceof Error && error.cause instanceof HttpError ? error.cause : null;
}
