/**
 * 128 bits as hex that identify files and texts, also over plain http, where crypto.subtle does not exist. Not for secrets.
 * The function is cyrb128.
 */
export function hash(bytes: Uint8Array): string {
  const multipliers = [597_399_067, 2_869_860_233, 951_274_213, 2_716_044_179] as const;
  let [a, b, c, d] = [1_779_033_703, 3_144_134_277, 1_013_904_242, 2_773_480_762];
  for (const byte of bytes) {
    a = b ^ Math.imul(a ^ byte, multipliers[0]);
    b = c ^ Math.imul(b ^ byte, multipliers[1]);
    c = d ^ Math.imul(c ^ byte, multipliers[2]);
    d = a ^ Math.imul(d ^ byte, multipliers[3]);
  }
  a = Math.imul(c ^ (a >>> 18), multipliers[0]);
  b = Math.imul(d ^ (b >>> 22), multipliers[1]);
  c = Math.imul(a ^ (c >>> 17), multipliers[2]);
  d = Math.imul(b ^ (d >>> 19), multipliers[3]);
  return [a ^ b ^ c ^ d, b ^ a, c ^ a, d ^ a].map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

/** 128 random bits as hex. crypto.randomUUID does not exist over plain http. */
export function createIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
