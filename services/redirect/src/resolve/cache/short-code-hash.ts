import { randomInt } from "node:crypto";
import { mixBits } from "../../mix-bits.ts";

/** Differs in each process, so that users cannot choose slugs whose hashes collide. */
const SEED = randomInt(2 ** 32);

/** A hash of 32 bits: FNV-1a, whose bits are then mixed. */
export function hashOf(shortCode: string): number {
  let hash = SEED;
  for (let i = 0; i < shortCode.length; i++) {
    hash = Math.imul(hash ^ shortCode.charCodeAt(i), 0x0100_0193);
  }
  return mixBits(hash) >>> 0;
}
