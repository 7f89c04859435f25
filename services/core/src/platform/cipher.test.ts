import { describe, expect, it } from "vitest";
import { createCipher, DecryptionError } from "./cipher.ts";

const OLD = "an old secret of more than 32 characters";
const NEW = "a new secret of more than 32 characters";
const TOKEN = "Atzr|IwEBI-token";

const cipher = createCipher([NEW]);
const keyId = (encrypted: string) => encrypted.split(".")[0];

describe("an encrypted text", () => {
  it("reveals nothing, and differs each time", () => {
    const [one, other] = [cipher.encrypt(TOKEN, "user 1"), cipher.encrypt(TOKEN, "user 1")];
    expect(one).not.toBe(other);
    const bytes = Buffer.from(one.split(".")[1] ?? "", "base64url").toString("latin1");
    expect(bytes).not.toContain("Atzr");
  });

  it("an encrypted text does not open for another owner", () => {
    const encrypted = cipher.encrypt(TOKEN, "user 1");
    expect(() => cipher.decrypt(encrypted, "user 2")).toThrow(DecryptionError);
  });

  it("an encrypted text does not open after any byte was changed", () => {
    const [id, text = ""] = cipher.encrypt(TOKEN, "user 1").split(".");
    const packed = Buffer.from(text, "base64url");
    for (let i = 0; i < packed.length; i++) {
      const changed = Buffer.from(packed);
      changed[i] = (changed[i] ?? 0) ^ 1;
      const encrypted = `${id}.${changed.toString("base64url")}`;
      expect(() => cipher.decrypt(encrypted, "user 1"), `byte ${i}`).toThrow(DecryptionError);
    }
  });

  it.each(["", ".", "nonsense", "id.", "id.AAAA"])("does not open if malformed: %j", (text) => {
    const ours = text.replace("id", keyId(cipher.encrypt(TOKEN, "user 1")) ?? "");
    expect(() => cipher.decrypt(ours, "user 1")).toThrow(DecryptionError);
  });
});

it("rotated keys decrypt texts that were encrypted with an older key, and the newest key encrypts", () => {
  const encrypted = createCipher([OLD]).encrypt(TOKEN, "user 1");
  const rotated = createCipher([NEW, OLD]);
  expect(rotated.decrypt(encrypted, "user 1")).toBe(TOKEN);
  const again = rotated.encrypt(TOKEN, "user 1");
  expect(keyId(again)).not.toBe(keyId(encrypted));
  expect(createCipher([NEW]).decrypt(again, "user 1")).toBe(TOKEN);
});
