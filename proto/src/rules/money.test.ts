import * as fc from "fast-check";
import { expect, test } from "vitest";
import { formatMoney, fractionDigits } from "./money.ts";

test("a currency has the decimal places of ISO 4217, also where Intl of this engine says otherwise", () => {
  const digits = ["EUR", "JPY", "HUF", "IDR", "COP", "PKR", "IQD"].map(fractionDigits);
  expect(digits).toEqual([2, 0, 2, 2, 2, 2, 3]);
  expect(formatMoney(3_900_000, "HUF")).toBe("HUF\u00a039,000.00");
  expect(formatMoney(12.5, "JPY", 1)).toBe("¥12.5");
});

test("a formatted amount of any currency has its digits", () => {
  const currency = fc.constantFrom(...Intl.supportedValuesOf("currency"));
  fc.assert(
    fc.property(currency, fc.integer({ min: -1e12, max: 1e12 }), (each, amount) => {
      const text = formatMoney(amount, each);
      const [, decimals = ""] = /\.(\d+)$/.exec(text) ?? [];
      expect(decimals).toHaveLength(fractionDigits(each));
      expect(Number(text.replace(/^-/, "").replaceAll(/\D/g, ""))).toBe(Math.abs(amount));
    }),
    { numRuns: 1_000 },
  );
});
