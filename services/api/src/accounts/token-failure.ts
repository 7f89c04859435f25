/** Error codes of firebase-admin that concern the token or its account. */
const REJECTION_CODES = new Set([
  "auth/id-token-expired",
  "auth/id-token-revoked",
  "auth/invalid-uid",
  "auth/user-disabled",
  "auth/user-not-found",
]);

/**
 * firebase-admin uses the code `auth/argument-error` both for malformed tokens and for a failure to fetch
 * Google's public keys. These are its messages for malformed tokens.
 */
const INVALID_TOKEN_MESSAGE =
  /^(Firebase ID token has |Decoding Firebase ID token failed|verifyIdToken\(\) expects |First argument to )/;

/** Whether the error rejects the token or its account. Every other error is an outage. */
export function isTokenRejected(error: unknown): boolean {
  if (!(error instanceof Error) || !("code" in error)) return false;
  if (error.code === "auth/argument-error") return INVALID_TOKEN_MESSAGE.test(error.message);
  return REJECTION_CODES.has(String(error.code));
}
