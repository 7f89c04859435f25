import fc from "fast-check";
import { expect, it } from "vitest";
import { ShortCodes } from "./short-codes.ts";

it("numbers codes in the order in which they were first added, also after it was cleared", () => {
  const code = fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/);
  fc.assert(
    fc.property(fc.array(fc.array(code, { maxLength: 2_000 }), { maxLength: 3 }), (rounds) => {
      const shortCodes = new ShortCodes();
      for (const added of rounds) {
        shortCodes.clear();
        const distinct = [...new Set(added)];
        for (const one of added) expect(shortCodes.numberOf(one)).toBe(distinct.indexOf(one));
        expect(shortCodes.size).toBe(distinct.length);
        expect(distinct.map((_, number) => shortCodes.codeOf(number))).toEqual(distinct);
      }
    }),
    { numRuns: 30 },
  );
});
