import fc from "fast-check";
import { expect, it } from "vitest";
import { plainAddress } from "./redirect-file.ts";

it("an address never has a character with a meaning in _redirects, and leads to the same page", () => {
  const rest = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string({ unit: fc.constantFrom(..." \t\r\n;:*$'\"\\{}<>()#`|é") }),
  );
  fc.assert(
    fc.property(rest, (text) => {
      const address = plainAddress(`https://www.amazon.de/dp/B0AAAAAAA1?q=${text}`);
      expect(address).toMatch(/^https:\/\/[\w\-.~/?&=%+,]+$/);
      const kept = text.replaceAll("%", "");
      expect(decodeURIComponent(plainAddress(`https://${kept}`))).toBe(`https://${kept.toWellFormed()}`);
    }),
  );
});
