import { createHash } from "node:crypto";

const HASHES = ["md5", "sha1", "sha256"] as const;

/** Forms in which a text may be stored, in lower case: as it is, encoded, and hashed. */
export function formsOf(text: string): string[] {
  const hashes = HASHES.map((name) => createHash(name).update(text).digest());
  const encoded = [Buffer.from(text), ...hashes].flatMap((bytes) => [
    bytes.toString("hex"),
    bytes.toString("base64").replaceAll("=", ""),
    bytes.toString("base64url"),
  ]);
  return [text, encodeURIComponent(text), ...encoded].map((form) => form.toLowerCase());
}
