import { expect, it } from "vitest";
import { createCookieKeys } from "./cookie-keys.ts";

const COOKIE = "sid=mJ8xq2W0aV5";
/** Computed by Keygrip 1.1.0 with "first key". */
const SIGNATURE = "szzbZ0Kxl_vwKLGon83ht68dDS0";

it("a cookie gets the signature that Koa's own keys give it", () => {
  expect(createCookieKeys(["first key", "second key"]).sign(COOKIE)).toBe(SIGNATURE);
});

it("a signature by an earlier key is valid, and its index says that the cookie must be signed anew", () => {
  expect(createCookieKeys(["new key", "first key"]).index(COOKIE, SIGNATURE)).toBe(1);
});

it.each([
  ["of another cookie", "sid=mJ8xq2W0aV6", SIGNATURE],
  ["by a key that is gone", COOKIE, createCookieKeys(["gone"]).sign(COOKIE)],
  ["of another length", COOKIE, SIGNATURE.slice(0, -1)],
  ["that is empty", COOKIE, ""],
  ["of other characters", COOKIE, "é".repeat(27)],
])("a signature %s is refused", (_case, cookie, signature) => {
  const keys = createCookieKeys(["first key"]);
  expect([keys.index(cookie, signature), keys.verify(cookie, signature)]).toEqual([-1, false]);
});
