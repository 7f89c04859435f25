import { MARKETPLACES } from "@tapthru/proto/rules/amazon/marketplaces";
import { fractionDigits } from "@tapthru/proto/rules/money";
import { expect, it } from "vitest";
import { createNumberReader } from "./numbers.ts";

const DISPLAYS = ["symbol", "narrowSymbol", "code", "name"] as const;

it.each(Object.entries(MARKETPLACES))("amounts of %s are read as each language of stores writes them", (_, store) => {
  const digits = fractionDigits(store.currency);
  const amounts = [0.5, 12.99, 1_234.5, 1_234_567.89, -0.5, -98_765.4];
  for (const { country, languages } of Object.values(MARKETPLACES)) {
    for (const language of languages) {
      for (const currencyDisplay of DISPLAYS) {
        // `£` alone is the British one.
        if (store.currency === "EGP" && currencyDisplay === "narrowSymbol") continue;
        for (const currencySign of ["standard", "accounting"] as const) {
          const options = { style: "currency", currency: store.currency, currencyDisplay, currencySign } as const;
          const format = new Intl.NumberFormat(`${language}-${country}`, options);
          const reader = createNumberReader();
          const texts = amounts.map((amount) => format.format(amount));
          // Intl writes some names of en-DE within the number.
          if (/\d\D*\p{L}{2}.*\d/u.test(texts[0] ?? "")) continue;
          expect([texts, texts.map((text) => reader.readAmount(text))]).toEqual([
            texts,
            amounts.map(
              (amount) =>
                (Math.round(Number((Math.abs(amount) * 10 ** digits).toFixed(4))) * Math.sign(amount) * 100) /
                10 ** digits,
            ),
          ]);
          expect([texts, reader.currencies]).toEqual([texts, expect.arrayContaining([store.currency])]);
        }
      }
    }
  }
});

it.each([
  ["US$12.50", 1_250, ["USD"]],
  ["R 12.50", 1_250, ["ZAR"]],
  ["R12.50", 1_250, ["ZAR"]],
  ["₺12,50", 1_250, ["TRY"]],
  ["12,50 TL", 1_250, ["TRY"]],
  ["MX$12.50", 1_250, ["MXN"]],
  ["MEX$ 12.50", 1_250, ["MXN"]],
  ["د.إ 12.50", 1_250, ["AED"]],
  ["د.إ.١٢٫٥٠", 1_250, ["AED"]],
  ["١٬٢٣٤٫٥٠ ر.س.", 123_450, ["SAR"]],
  ["-US$12.50", -1_250, ["USD"]],
  ["US$-12.50", -1_250, ["USD"]],
  ["US$ (12.50)", -1_250, ["USD"]],
  ["12.50- €", -1_250, ["EUR"]],
  ["12,50 US-Dollar", 1_250, ["USD"]],
  ["12,50 kr.", 1_250, ["SEK"]],
  ["Rs.1,23,456.78", 12_345_678, ["INR"]],
  ["CDN$12.50", 1_250, ["CAD"]],
  ["12.50 CHF", 1_250, ["CHF"]],
  ["1.234,56", 123_456, null],
  ["1 234,56", 123_456, null],
  ["1 234,56", 123_456, null],
  ["1'234.56", 123_456, null],
  ["1’234’567.80", 123_456_780, null],
  ["1,23,456.78", 12_345_678, null],
  ["１，２３４．５６", 123_456, null],
  ["٠٫٥٠", 50, null],
  ["12.50-", -1_250, null],
  ["12.50 −", -1_250, null],
  ["– 12.50", -1_250, null],
  ["(12.50)", -1_250, null],
  ["+12.50", 1_250, null],
  ["–", 0, null],
  ["—", 0, null],
  ["", 0, null],
  [".50", 50, null],
])("%s is read", (text, value, currencies) => {
  const reader = createNumberReader();
  expect(reader.readAmount(text)).toBe(value);
  expect(reader.currencies).toEqual(currencies);
});

it.each([
  "₩12.50",
  "12.50 ₽",
  "12.50 pts",
  "12.50%",
  "(12.50",
  "12.50)",
  "12 50",
  "1'23'4.50",
  "1 2 3",
  "12,345,6.7",
  "1.2.3",
  "12.50 13.50",
  "12..50",
  "12.5O",
  "n/a",
])("%s is no number", (text) => {
  expect(createNumberReader().readAmount(text)).toBeNull();
});

it("a sign of another currency contradicts the first one", () => {
  const reader = createNumberReader();
  for (const text of ["$1.50", "12.50", "C$2.50"]) reader.readAmount(text);
  expect(reader.currencies).toEqual(["CAD"]);
  reader.readAmount("€2.50");
  expect(reader.currencies).toEqual([]);
});
