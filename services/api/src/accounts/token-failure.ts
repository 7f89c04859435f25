/** Codes of firebase-admin that speak of the token or its holder. */
const REJECTION_CODES = new Set([
  "auth/id-token-expired",
  "auth/id-token-revoked",
  "auth/invalid-uid",
  "auth/user-disabled",
  "auth/user-not-found",
]);

/**
 * What firebase-admin says of a token that is none. The same code, `auth/argument-error`, stands for
 * Google's keys being out of reach; there the message is the network's.
 */
const INVALID_TOKEN_MESSAGE =
  /^(Firebase ID token has |Decoding Firebase ID token failed|verifyIdToken\(\) expects |First argument to )/;

/** Whether firebase-admin refuses a token or its holder; everything else is an outage. */
export function isTokenRejected(error: unknown): boolean {
  if (!(error instanceof Error) || !("code" in error)) return false;
  if (error.code === "auth/argument-error") return INVALID_TOKEN_MESSAGE.test(error.message);
  return REJECTION_CODES.has(String(error.code));
}
