import { badToken, loginRequired, unavailable } from "@tapthru/proto/general-errors";
import { ApiError } from "../http/errors.ts";
import type { NewSession } from "./session-store.ts";

export interface Identity {
  uid: string;
  email: string | null;
  isEmailVerified: boolean;
  /** When the person has last proved who they are, in Unix seconds. */
  authTime: number;
  /** True if the provider's groups make the user an operator; null if they do not concern this site. */
  isOperator: boolean | null;
  /** At the built-in provider, with which the session ends. */
  login?: Pick<NewSession, "loginId" | "createdAt">;
}

type Verification = { kind: "verified"; identity: Identity } | { kind: "refused" } | { kind: "unavailable" };

export const ACCOUNTS_LOOKUP_MAX_COUNT = 100;

export interface IdentityProvider {
  /** @param checkRevoked also queries the provider, in addition to checking signature, audience and expiry */
  verify(token: string, options?: { checkRevoked: boolean }): Promise<Verification>;
  /**
   * The accounts that were neither deleted nor disabled, each with the Unix milliseconds before which its logins were
   * revoked; 0 if none were.
   */
  findUsable(uids: readonly string[]): Promise<ReadonlyMap<string, number> | "unavailable">;
  revoke(uid: string): Promise<"revoked" | "unavailable">;
  /** Deletes the user's identity. Idempotent. */
  remove(uid: string): Promise<"removed" | "unavailable">;
}

/** @throws ApiError if the token is missing or invalid, or the provider is unavailable */
export async function verifiedIdentity(
  provider: Pick<IdentityProvider, "verify">,
  token: string | null,
  options?: { checkRevoked: boolean },
): Promise<Identity> {
  if (token === null) throw new ApiError(loginRequired);
  const verification = await provider.verify(token, options);
  if (verification.kind === "refused") throw new ApiError(badToken);
  if (verification.kind === "unavailable") throw identityUnavailable();
  return verification.identity;
}

export function identityUnavailable(): ApiError {
  return new ApiError(unavailable, { reason: "The identity provider is unavailable" });
}
