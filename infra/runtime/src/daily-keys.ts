import { createHmac } from "node:crypto";

/**
 * Keys under which visitors are counted. They identify no person, and keys of one visitor on different days cannot be
 * linked.
 */
export function dailyKeys(secret: string): (visitor: string) => string {
  const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text);
  return (visitor) => {
    const salt = hmac(secret, `rate limits of ${new Date().toISOString().slice(0, 10)}`).digest();
    return hmac(salt, visitor).digest("base64url");
  };
}
