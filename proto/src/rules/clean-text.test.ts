import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cleanText } from "./clean-text.ts";

describe("cleanText", () => {
  it.each([
    ["  Desk \n\t lamp \u00a0 ", "Desk lamp"],
    ["De\u0000sk\u0007 \u009blamp\u007f", "Desk lamp"],
    ["Lamp \u202egnp.exe\u202c", "Lamp gnp.exe"],
    ["a \ud83d b", "a \ufffd b"],
    ["デスクライト 調光式", "デスクライト 調光式"],
    ["👩‍👩‍👧 lamp", "👩‍👩‍👧 lamp"],
  ])("cleans %j to %j", (text, clean) => {
    expect(cleanText(text, 500)).toBe(clean);
  });

  it.each(["", "   ", "\u0000\u001f", "\u200b\u200d", "\u202e \u2069", "\ue000"])(
    "finds nothing visible in %j",
    (text) => {
      expect(cleanText(text, 500)).toBeNull();
    },
  );

  it("cuts between characters only", () => {
    expect(cleanText("💡".repeat(10), 3)).toBe("💡💡💡");
    expect(cleanText("Lamp  black", 5)).toBe("Lamp");
  });

  const text = fc.string({
    unit: fc.oneof(
      { weight: 3, arbitrary: fc.string({ unit: "binary", minLength: 1, maxLength: 1 }) },
      fc.constantFrom(..." \t\n\u00a0\u0000\u001b\u0085\u009f\u061c\u200b\u200e\u200f\u202a\u202e"),
      fc.constantFrom(..."\u2028\u2066\u2069\ufeff\ufffe\u{1f4a1}\u{e0001}", "\ud800", "\udfff"),
    ),
    maxLength: 80,
  });

  it("never throws, and keeps its guarantees for any text", () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 60 }), (text, maxLength) => {
        const clean = cleanText(text, maxLength);
        if (clean === null) return;
        expect(clean).not.toMatch(/\p{Cc}|\p{Bidi_Control}|\p{Cs}/u);
        expect(clean).not.toMatch(/^\s|\s$|\s\s|[^\S ]/);
        expect(Array.from(clean).length).toBeLessThanOrEqual(maxLength);
        expect(clean.isWellFormed()).toBe(true);
        expect(cleanText(clean, maxLength)).toBe(clean);
      }),
      { numRuns: 2_000 },
    );
  });
});
