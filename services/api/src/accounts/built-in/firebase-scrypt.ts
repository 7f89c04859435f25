import { createCipheriv, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";

const runScrypt = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);
type ScryptOptions = { N: number; r: number; p: number; maxmem: number };

const STORED = /^firebase-scrypt[$](\d{1,2})[$](\d{1,2})[$]([^$]*)[$]([^$]+)[$]([^$]*)[$]([^$]+)$/;

/** Returns true for a password that was imported as docs/FIREBASE.md says. */
export function isFirebaseHash(stored: string): boolean {
  return stored.startsWith("firebase-scrypt$");
}

/**
 * Checks a password that was imported from Firebase, by its modified scrypt
 * (https://firebaseopensource.com/projects/firebase/scrypt): scrypt makes the key that encrypts the project's signer key.
 * @param stored `firebase-scrypt$MEMORY_COST$ROUNDS$SALT_SEPARATOR$SIGNER_KEY$SALT$HASH`, the last four in base64
 */
export async function verifyFirebasePassword(stored: string, password: string): Promise<boolean> {
  const [, memoryCost, rounds, ...encoded] = STORED.exec(stored) ?? [];
  const [separator, signerKey, salt, hash] = encoded.map((text) => Buffer.from(text, "base64"));
  if (!separator || !signerKey || !salt || !hash) return false;
  const [N, r] = [2 ** Number(memoryCost), Number(rounds)];
  const derived = await runScrypt(password, Buffer.concat([salt, separator]), 64, {
    N,
    r,
    p: 1,
    maxmem: 256 * N * r,
  });
  const cipher = createCipheriv("aes-256-ctr", derived.subarray(0, 32), Buffer.alloc(16));
  const computed = Buffer.concat([cipher.update(signerKey), cipher.final()]);
  return computed.length === hash.length && timingSafeEqual(computed, hash);
}
