import { createHash } from "node:crypto";

/**
 * Numbers the keys of ENCRYPTION_KEYS for the library, which stores with each encrypted text by which key. The number of a
 * key does not depend on the others, so that an old one can be removed.
 */
export function versionedSecrets(keys: readonly string[]): { version: number; value: string }[] {
  return keys.map((value) => ({
    version: createHash("sha256").update(`identity ${value}`).digest().readUIntBE(0, 6),
    value,
  }));
}
