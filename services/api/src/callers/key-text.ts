import { hash, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";
import { API_KEY_PATTERN, API_KEY_PREFIX } from "@tapthru/proto/rules/api-key";

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_LENGTH = 30;
const CHECKSUM_LENGTH = 6;
/** The prefix and four random characters; 154 bits remain secret. */
const START_LENGTH = API_KEY_PREFIX.length + 4;

export function randomKey(): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => BASE62[randomInt(62)]).join("");
  return API_KEY_PREFIX + random + checksum(random);
}

export function isKey(text: string): boolean {
  if (!API_KEY_PATTERN.test(text)) return false;
  const random = text.slice(API_KEY_PREFIX.length, -CHECKSUM_LENGTH);
  return text.endsWith(checksum(random));
}

/** SHA-256 without a salt: the key is random, and has to be found by its hash. */
export function keyHash(key: string): Buffer {
  return hash("sha256", key, "buffer");
}

export function keyStart(key: string): string {
  return key.slice(0, START_LENGTH);
}

function checksum(random: string): string {
  let rest = crc32(random);
  let text = "";
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    text = BASE62.charAt(rest % 62) + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}
