import { ApiError } from "../errors.ts";
import type { Identity, IdentityProvider } from "./identity.ts";

/**
 * Returns the identity of a token.
 * @throws ApiError if the token is missing or invalid, or the provider is unavailable
 */
export async function verifiedIdentity(
  provider: Pick<IdentityProvider, "verify">,
  token: string | null,
  options?: { checkRevoked: boolean },
): Promise<Identity> {
  if (token === null) throw new ApiError("login-required");
  const verification = await provider.verify(token, options);
  switch (verification.kind) {
    case "verified":
      return verification.identity;
    case "refused":
      throw new ApiError("bad-token");
    case "unavailable":
      throw identityUnavailable();
  }
}

export function identityUnavailable(): ApiError {
  return new ApiError("unavailable", { reason: "The identity provider is unavailable" });
}
