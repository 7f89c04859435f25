import { randomInt } from "node:crypto";

/** Differs in each process, so that users cannot choose slugs whose hashes collide. */
const SEED = randomInt(2 ** 32);

/** A hash of 32 bits: FNV-1a, whose bits are then mixed as in MurmurHash3. */
export function hashOf(shortCode: string): number {
  let hash = SEED;
  for (let i = 0; i < shortCode.length; i++) {
    hash = Math.imul(hash ^ shortCode.charCodeAt(i), 0x0100_0193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
