import { createHmac, createSecretKey, type KeyObject } from "node:crypto";

const DAY_MS = 86_400_000;

/**
 * Keys under which visitors are counted. They identify no person, and keys of one visitor on different days cannot be
 * linked.
 */
export function dailyKeys(secret: string): (visitor: string) => string {
  const hmac = (key: string | KeyObject, text: string) => createHmac("sha256", key).update(text);
  const saltOf = (day: number) => {
    const date = new Date(day * DAY_MS).toISOString().slice(0, 10);
    return createSecretKey(hmac(secret, `rate limits of ${date}`).digest());
  };
  let day = currentDay();
  let salt = saltOf(day);
  return (visitor) => {
    const today = currentDay();
    if (today !== day) [day, salt] = [today, saltOf(today)];
    return hmac(salt, visitor).digest("base64url");
  };
}

/** Days since 1970, in UTC. */
function currentDay(): number {
  return Math.floor(Date.now() / DAY_MS);
}
