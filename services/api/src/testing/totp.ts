import { createHmac } from "node:crypto";

/** The code of an authenticator app: RFC 6238. */
export function totp(setupUrl: string, atMs = Date.now()): string {
  const secret = new URL(setupUrl).searchParams.get("secret") ?? "";
  const bits = [...secret].map((char) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(char).toString(2).padStart(5, "0"));
  const bytes = bits.join("").match(/.{8}/g) ?? [];
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(atMs / 30_000)));
  const digest = createHmac("sha1", Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2))))
    .update(counter)
    .digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

/** A code that is valid too, while the current one is used for turning two-factor login on. */
export const nextTotp = (setupUrl: string) => totp(setupUrl, Date.now() + 30_000);
