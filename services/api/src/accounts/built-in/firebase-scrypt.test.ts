import { expect, it } from "vitest";
import { isFirebaseHash, verifyFirebasePassword } from "./firebase-scrypt.ts";

/** The example in the README of firebase/scrypt. */
const PARAMETERS = "14$8$Bw==$jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==";
const SALT = "42xEC+ixf3L2lw==";
const HASH = "lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==";
const STORED = `firebase-scrypt$${PARAMETERS}$${SALT}$${HASH}`;

it("accepts the password of a hash that Firebase published, also in the base64 of its export", async () => {
  expect(isFirebaseHash(STORED)).toBe(true);
  expect(await verifyFirebasePassword(STORED, "user1password")).toBe(true);
  const exported = STORED.replaceAll("+", "-").replaceAll("/", "_");
  expect(await verifyFirebasePassword(exported, "user1password")).toBe(true);
});

it("refuses another password, and what is not such a hash", async () => {
  expect(await verifyFirebasePassword(STORED, "user2password")).toBe(false);
  expect(await verifyFirebasePassword(STORED.replace(SALT, "AAAA"), "user1password")).toBe(false);
  expect(await verifyFirebasePassword("firebase-scrypt$14$8", "user1password")).toBe(false);
  expect(isFirebaseHash("$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA")).toBe(false);
});
