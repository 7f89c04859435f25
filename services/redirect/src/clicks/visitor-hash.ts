import { mixBits } from "../mix-bits.ts";

/** Two numbers of 32 bits that seed a hash. */
export interface Seeds {
  first: number;
  second: number;
}

// Not cryptographic: only 20 bits of the hash are kept, and the seeds are deleted after the day. SHA-256 takes ten times
// as long.
export function hashText(text: string, { first, second }: Seeds): Seeds {
  let [a, b] = [first, second];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 0x5bd1e995);
    a ^= a >>> 15;
    b = Math.imul(b ^ code, 0x1b873593);
    b ^= b >>> 13;
  }
  return { first: mixBits(a), second: mixBits(b) };
}
