import { expect, it } from "vitest";
import { referrerHost } from "./click-counter.ts";

it.each([
  ["https://www.Instagram.com/p/abc?igsh=x", "instagram.com"],
  ["https://l.facebook.com:443/", "l.facebook.com"],
  ["android-app://com.google.android.gm/", "com.google.android.gm"],
  ["https://xn--bcher-kva.example", "xn--bcher-kva.example"],
  ["", "direct"],
  [undefined, "direct"],
  ["http://192.0.2.1/inbox", "other"],
  ["http://[2001:db8::1]/", "other"],
  ["http://localhost/", "other"],
  ["https://user:secret@example.com/", "other"],
  ["not an address", "other"],
  [`https://${"a".repeat(101)}.example/`, "other"],
])("the referrer of %s is %s", (referrer, host) => {
  expect(referrerHost(referrer)).toBe(host);
});
