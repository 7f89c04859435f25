import { describe, expect, it } from "vitest";
import { createSealer, SealError } from "./sealer.ts";

const OLD = "an old secret of more than 32 characters";
const NEW = "a new secret of more than 32 characters";
const TOKEN = "Atzr|IwEBI-token";

const sealer = createSealer([NEW]);
const keyId = (sealed: string) => sealed.split(".")[0];

describe("a sealed text", () => {
  it("reveals nothing, and differs each time", () => {
    const [one, other] = [sealer.seal(TOKEN, "user 1"), sealer.seal(TOKEN, "user 1")];
    expect(one).not.toBe(other);
    const bytes = Buffer.from(one.split(".")[1] ?? "", "base64url").toString("latin1");
    expect(bytes).not.toContain("Atzr");
  });

  it("does not open for another owner", () => {
    const sealed = sealer.seal(TOKEN, "user 1");
    expect(() => sealer.open(sealed, "user 2")).toThrow(SealError);
  });

  it("does not open after any byte was changed", () => {
    const [id, text = ""] = sealer.seal(TOKEN, "user 1").split(".");
    const packed = Buffer.from(text, "base64url");
    for (let i = 0; i < packed.length; i++) {
      const changed = Buffer.from(packed);
      changed[i] = (changed[i] ?? 0) ^ 1;
      const sealed = `${id}.${changed.toString("base64url")}`;
      expect(() => sealer.open(sealed, "user 1"), `byte ${i}`).toThrow(SealError);
    }
  });

  it.each(["", ".", "nonsense", "id.", "id.AAAA"])("does not open if malformed: %j", (text) => {
    const ours = text.replace("id", keyId(sealer.seal(TOKEN, "user 1")) ?? "");
    expect(() => sealer.open(ours, "user 1")).toThrow(SealError);
  });
});

it("rotated keys open texts that were sealed with an older key, and the newest key seals", () => {
  const sealed = createSealer([OLD]).seal(TOKEN, "user 1");
  const rotated = createSealer([NEW, OLD]);
  expect(rotated.open(sealed, "user 1")).toBe(TOKEN);
  const again = rotated.seal(TOKEN, "user 1");
  expect(keyId(again)).not.toBe(keyId(sealed));
  expect(createSealer([NEW]).open(again, "user 1")).toBe(TOKEN);
});
