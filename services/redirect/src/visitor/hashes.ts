/** The finalizer of MurmurHash3: each bit of the result depends on all bits of the hash. */
function murmurFinalizer(hash: number): number {
  let mixed = hash ^ (hash >>> 16);
  mixed = Math.imul(mixed, 0x85ebca6b);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

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
  return { first: murmurFinalizer(a), second: murmurFinalizer(b) };
}
