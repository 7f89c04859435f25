import { createHmac, createSecretKey, timingSafeEqual } from "node:crypto";
import type Koa from "koa";

/**
 * Signs cookies as Koa's own keys do, and checks a signature with one HMAC; Keygrip computes three, and reads the keys again for
 * each.
 * @param secrets the first one signs
 */
export function createCookieKeys(secrets: readonly string[]): Exclude<Koa["keys"], string[]> {
  const keys = secrets.map((secret) => createSecretKey(secret, "utf8"));
  const signWith = (key: (typeof keys)[number] | undefined, data: string) => {
    if (key === undefined) throw new Error("There is no key for cookies");
    return createHmac("sha1", key).update(data).digest("base64url");
  };
  const index = (data: string, signature: string) => {
    const given = Buffer.from(signature);
    return keys.findIndex((key) => {
      const expected = Buffer.from(signWith(key, data));
      return given.length === expected.length && timingSafeEqual(given, expected);
    });
  };
  return {
    sign: (data) => signWith(keys[0], data),
    index,
    verify: (data, signature) => index(data, signature) >= 0,
  };
}
