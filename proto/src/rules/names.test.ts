import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cleanName, mixesAlphabets, nameInEmail, usernameLookalikeKey } from "./names.ts";

const TAG_A = "\u{E0061}";

describe("a cleaned user name", () => {
  it.each([
    ["is trimmed", "  Ada ", "Ada"],
    ["is in NFKC", "Ａda ﬁ", "Ada fi"],
    ["is composed", "Ame\u0301lie", "Amélie"],
    ["has no override of its direction", "\u202Eecila\u202C", "ecila"],
    ["has no mark or isolate of its direction", "\u2066A\u200Ed\u200Fa\u061C\u2069", "Ada"],
    ["keeps its case and its emoji", "Ada 👩‍🚀", "Ada 👩‍🚀"],
  ])("%s", (_title, text, cleaned) => {
    expect(cleanName(text)).toBe(cleaned);
  });

  it("stays the same when cleaned again", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const cleaned = cleanName(text);
        expect(cleanName(cleaned)).toBe(cleaned);
      }),
    );
  });
});

it.each([
  ["WIN 500€: https://evil.example/x", "WIN 500€  https evil example x"],
  ["www.evil.example", "www evil example"],
  ["почта.рф, 例。中国", "почта рф, 例 中国"],
  ["Dr. Ada B. 1.7 l…", "Dr. Ada B. 1.7 l…"],
])("the name %s is no address in an email", (name, shown) => {
  expect(nameInEmail(name)).toBe(shown);
});

it.each([
  ["miаm", true],
  ["mi\u200Bа", true],
  ["Αda", true],
  ["Анна Smith", false],
  ["Ölaf ß 23", false],
  ["ada田中", false],
])("%s mixes alphabets in a word: %s", (name, mixes) => {
  expect(mixesAlphabets(name)).toBe(mixes);
});

describe("user names look alike", () => {
  it.each([
    ["in another case", "Ada Lovelace", "aDA lOVELACE"],
    ["with a letter that has no upper case of its own", "Straße", "STRASSE"],
    ["with a sigma at the end of a word", "ΟΔΥΣΣΕΥΣ", "Οδυσσευς"],
    ["with an i without its dot", "AdaIdle", "adaıdle"],
    ["in another form", "Ａ𝐝ⓐ ﬁona Ame\u0301lie", "Ada fiona Amélie"],
    ["with an invisible character before an accent", "Ame\u200B\u0301lie", "Amélie"],
    ["with joiners, a soft hyphen and a byte order mark", "\uFEFFA\u200D\u2060\u00AD\u034Fda\uFE0F", "Ada"],
    ["with blank letters", "A\u3164da\u2800", "Ada"],
    ["with marks of direction", "\u202EA\u200Eda", "Ada"],
    ["with tags", `Ada${TAG_A}\u{E007F}`, "Ada"],
    ["with other blanks", "Ada \u00A0 Lovelace", "Ada Lovelace"],
  ])("%s", (_title, one, other) => {
    expect(usernameLookalikeKey(one)).toBe(usernameLookalikeKey(other));
  });

  it.each([
    ["Ada", "Adam"],
    ["Amelie", "Amélie"],
    ["Ada Lovelace", "AdaLovelace"],
    ["ada.lovelace", "ada_lovelace"],
    ["आदा", "अदा"],
  ])("%s and %s do not look alike", (one, other) => {
    expect(usernameLookalikeKey(one)).not.toBe(usernameLookalikeKey(other));
  });

  const INVISIBLE = ["", "\u200B", "\u200E", "\u202E", "\u2069", "\u00AD", "\uFE0F", TAG_A];
  const FORMS = [
    (text: string) => text.toUpperCase(),
    (text: string) => text.toLowerCase(),
    ...["NFC", "NFD", "NFKC", "NFKD"].map((form) => (text: string) => text.normalize(form)),
    cleanName,
    usernameLookalikeKey,
  ];
  const name = fc.oneof(fc.string({ unit: "grapheme", maxLength: 20 }), fc.string({ unit: "binary", maxLength: 20 }));

  it("user names look alike in every case and form, including the form of the key itself", () => {
    fc.assert(
      fc.property(name, fc.constantFrom(...FORMS), (text, change) => {
        expect(usernameLookalikeKey(change(text))).toBe(usernameLookalikeKey(text));
      }),
      { numRuns: 5_000 },
    );
  });

  it("user names look alike with any invisible characters between them", () => {
    const characters = fc.array(fc.tuple(fc.string({ unit: "binary", minLength: 1 }), fc.constantFrom(...INVISIBLE)), {
      maxLength: 10,
    });
    fc.assert(
      fc.property(characters, (pairs) => {
        const plain = pairs.map(([text]) => text).join("");
        expect(usernameLookalikeKey(pairs.flat().join(""))).toBe(usernameLookalikeKey(plain));
      }),
      { numRuns: 5_000 },
    );
  });
});
