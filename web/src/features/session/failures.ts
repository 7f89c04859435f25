import { messages } from "@tapthru/proto/rules/messages";

/** The identity provider could not be loaded, which is the `cause`, or is not configured. */
export class ProviderUnavailableError extends Error {
  override name = "ProviderUnavailableError";

  constructor(options?: ErrorOptions) {
    super(messages.identityProviderUnavailable, options);
  }
}

/** The error code of the identity provider, such as "auth/user-disabled". */
export function providerCode(error: unknown): string | null {
  if (!(error instanceof Error) || !("code" in error)) return null;
  return typeof error.code === "string" && error.code.startsWith("auth/") ? error.code : null;
}

/** Whether the identity provider could not be reached. */
export function isProviderUnreachable(error: unknown): boolean {
  return providerCode(error) === "auth/network-request-failed";
}
