import { type Language, PAGE_MESSAGES } from "@tapthru/proto/rules/pages/languages";
import fc from "fast-check";
import { expect, it } from "vitest";
import { chooseLanguage } from "./choose-language.ts";

const LANGUAGES = Object.keys(PAGE_MESSAGES) as Language[];

it.each<[string | undefined, Language]>([
  [undefined, "en"],
  ["", "en"],
  ["de", "de"],
  ["DE-at", "de"],
  ["pt-BR,pt;q=0.9,en;q=0.8", "pt"],
  ["ar-EG-u-nu-arab", "ar"],
  ["nl-BE, fr;q=0.8", "nl"],
  ["tr_TR.UTF-8", "tr"],
  ["pl;q=0.6, sv-FI;q=0.7", "sv"],
  ["zh-Hans-CN", "en"],
  ["de_DE", "de"],
  ["pt_BR.UTF-8", "pt"],
  ["fr_FR@euro;q=0.9, en_US;q=0.5", "fr"],
  ["zh, ja;q=0.5, en;q=0.1", "ja"],
  ["en;q=0.5, fr;q=0.9, it;q=0.7", "fr"],
  ["it, es", "it"],
  ["it;q=0.8, es;q=0.8", "it"],
  [" hi ; q=0.300 ,\t*;q=0.2", "hi"],
  ["*", "en"],
  ["*, fr;q=0.5", "en"],
  ["*;q=0.1, fr;q=0.5", "fr"],
  ["de;q=0, *;q=0.1", "en"],
  ["de;q=0", "en"],
  ["de;Q=0.5, fr;q=0.4", "de"],
  ["german, deu, d-e", "en"],
  ["constructor, __proto__, toString", "en"],
  ["de;q=2, de;q=-1, de;q=x, de;q=0.1234, de;q=, de;level=1", "en"],
  [",,;;,=;q,,es", "es"],
])("selects for %j the language %s", (header, language) => {
  expect(chooseLanguage(header)).toBe(language);
});

it("selects English if the header is too long", () => {
  const padded = (length: number) => `de${" ".repeat(length - 2)}`;
  expect(chooseLanguage(padded(1_000))).toBe("de");
  expect(chooseLanguage(padded(1_001))).toBe("en");
});

it("selects the supported language with the highest weight, in any order", () => {
  const weights = fc.uniqueArray(fc.integer({ min: 1, max: 999 }), {
    minLength: 1,
    maxLength: LANGUAGES.length,
  });
  const preferences = weights.chain((chosen) =>
    fc
      .shuffledSubarray(LANGUAGES, { minLength: chosen.length, maxLength: chosen.length })
      .map((languages) => languages.map((language, index) => ({ language, weight: chosen[index] ?? 0 }))),
  );
  fc.assert(
    fc.property(preferences, (entries) => {
      const header = entries
        .map(({ language, weight }) => `${language};q=0.${String(weight).padStart(3, "0")}`)
        .join(", ");
      const expected = entries.toSorted((a, b) => b.weight - a.weight)[0];
      expect(chooseLanguage(header)).toBe(expected?.language);
    }),
  );
});
