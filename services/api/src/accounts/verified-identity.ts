import { ApiError } from "../errors.ts";
import type { Identity, IdentityProvider } from "./identity.ts";

/**
 * Who holds a token.
 * @throws ApiError without a token, with a bad one, and while nobody can tell
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
      throw new ApiError("unavailable");
  }
}
