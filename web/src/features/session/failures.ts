import { httpErrorOf } from "../../lib/http/http-client.ts";

/** The identity provider could not be loaded, which is the `cause`, or has not responded. */
export class ProviderUnavailableError extends Error {
  override name = "ProviderUnavailableError";

  constructor(options: ErrorOptions) {
    super("The identity provider is not available", options);
  }
}

/** The password was right. The login needs a code too. */
export class CodeRequiredError extends Error {
  override name = "CodeRequiredError";
}

/** The error code of Firebase, such as "auth/user-disabled". */
export function providerCode(error: unknown): string | null {
  if (!(error instanceof Error) || !("code" in error)) return null;
  return typeof error.code === "string" && error.code.startsWith("auth/") ? error.code : null;
}

export function errorCode(error: unknown): string {
  return httpErrorOf(error)?.code ?? providerCode(error) ?? "";
}

/** Returns true if this installation gives the identity no account. */
export function isSignUpRefused(error: unknown): boolean {
  return ["sign-up-closed", "invitation-invalid", "email-taken"].includes(errorCode(error));
}

export function isProviderUnreachable(error: unknown): boolean {
  return error instanceof ProviderUnavailableError || providerCode(error) === "auth/network-request-failed";
}
