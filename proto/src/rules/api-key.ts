/** Distinguishes an API key from a token of the identity provider. */
export const API_KEY_PREFIX = "tt_";

/**
 * An API key: the prefix, 30 random characters of base62 (178 bits) and six that are their CRC-32 in base62, padded with
 * zeros. The fixed length and the checksum let secret scanners recognize a key offline.
 */
export const API_KEY_PATTERN = /^tt_[0-9A-Za-z]{36}$/;

export const API_KEY_SCOPES = [
  "links:read",
  "links:write",
  "clicks:read",
  "earnings:read",
  "earnings:write",
  "operator",
] as const;
export type ApiKeyScope = (typeof API_KEY_SCOPES)[number];
