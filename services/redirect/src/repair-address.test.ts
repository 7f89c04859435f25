import { NAME_PATTERN } from "@tapthru/proto/rules/short-code";
import fc from "fast-check";
import { expect, it } from "vitest";
import { repairedAddress } from "./repair-address.ts";

const LINK = "/l/abc2345";
const ON_DOMAIN = "/d/go.anna.example/mug";

// Text beside an address in captions, emails, chats and print.
const PUNCTUATION = ". , : ! ... … 。 、 ！ ؟ । * ** _ ~ @ | % — - /.".split(" ");
const QUOTES = ["'", '"', "’", "”", "“", "»", "›", "「", "」", "`", "´", "＂", "''"];
const BRACKETS = [")", "]", "}", ">", "）", "】", "》", "⟩", "｣", "(", "[", "<", ").", ")]", "/)"];
const BLANKS = [" ", "\t", "\n", "\r\n", "\u00a0", "\u2003", "\u3000", "\u2028", "\u202f", "\u2800", "+"];
const EMOJI = ["🔥", "👍🏽", "👨‍👩‍👧", "❤️", "1️⃣", "#️⃣", "🇩🇪", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "ℹ️", "™", "→", "🔥🔥🔥", "👇🏿 ⬇️", "✅"];
const INVISIBLE = [..."\u200b\u200d\ufeff\u2060\u00ad\u200e\u202c\u2069\ufe0f\u034f\u3164\u{e0020}"];
/** Text that follows an address without a blank. */
const TEXTS = [
  "</a>",
  ".<br>",
  '">here</a>',
  "](https://host/l/abc2345)",
  "|mug>",
  "#ad",
  " #ad",
  "」と",
  "です",
  "을",
  "²",
  "①",
];
const BESIDE = [...PUNCTUATION, ...QUOTES, ...BRACKETS, ...BLANKS, ...EMOJI, ...INVISIBLE];

/** As Node gives the bytes of a request line that are not escaped. */
const raw = (text: string) => Buffer.from(text).toString("latin1");
/** Each byte escaped. */
const escaped = (text: string) =>
  Buffer.from(text)
    .toString("hex")
    .replaceAll(/../g, (byte) => `%${byte}`);

it.each([...BESIDE, ...TEXTS])("an address is repaired with %j after it, escaped and raw", (text) => {
  for (const address of [LINK, ON_DOMAIN]) {
    expect(repairedAddress(address + escaped(text))).toBe(`${address}?`);
    expect(repairedAddress(address + escaped(text).toUpperCase())).toBe(`${address}?`);
    expect(repairedAddress(`${address}${escaped(text)}?UTM=x&y`)).toBe(`${address}?UTM=x&y`);
    expect(repairedAddress(address + raw(text))).toBe(`${address}?`);
  }
});

it.each(BESIDE.filter((text) => !/^\.|\//.test(text)))("an address is repaired with %j before it", (text) => {
  expect(repairedAddress(`/l/${escaped(text)}abc2345`)).toBe(`${LINK}?`);
});

it("an address is repaired in any mixture of them", () => {
  const texts = fc.array(fc.constantFrom(...BESIDE), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(texts, (parts) => {
      expect(repairedAddress(LINK + escaped(parts.join("")))).toBe(`${LINK}?`);
    }),
  );
});

it.each([
  ["%E2%80", "of a cut character"],
  ["%94", "of Windows-1252"],
  ["%", "of a cut escape"],
])("an address is repaired with the bytes %s %s after it", (text) => {
  expect(repairedAddress(LINK + text)).toBe(`${LINK}?`);
});

it.each([
  ["%25E2%2580%259D", ""],
  ["%25F0%259F%2594%25A5", ""],
  ["%2526utm_source%253Dx", "utm_source=x"],
  ["%253Futm_source%253Dx%2526b=c?d=e", "utm_source=x&b=c&d=e"],
])("an address escaped twice with %s after it has the query %j", (text, query) => {
  for (const address of [LINK, ON_DOMAIN]) expect(repairedAddress(address + text)).toBe(`${address}?${query}`);
});

it.each([
  ["/l/ABC2345", `${LINK}?`],
  ["/L/ABC2345", `${LINK}?`],
  ["/L/abc2345?UTM_SOURCE=Poster", `${LINK}?UTM_SOURCE=Poster`],
  ["/L/ABC2345&UTM_SOURCE=Poster", `${LINK}?UTM_SOURCE=Poster`],
  ["/L/ABC2345/", `${LINK}?`],
  ["/l/%61bc2345", `${LINK}?`],
  ["/%6C/abc2345", `${LINK}?`],
  ["/l%2Fabc2345", `${LINK}?`],
  ["/l//abc2345//", `${LINK}?`],
  ["/l/ab%C2%ADc2345", `${LINK}?`],
  ["/l/My_Slug-1.", "/l/my_slug-1?"],
  ["/d/GO.anna.example/MUG", `${ON_DOMAIN}?`],
  ["/d/go.anna.example/m%75g//", `${ON_DOMAIN}?`],
  ["/d/go.anna.example/A", "/d/go.anna.example/a?"],
  ["/d/go.anna.example//?v=2", "/d/go.anna.example/?v=2"],
])("%s is %s", (url, repaired) => {
  expect(repairedAddress(url)).toBe(repaired);
});

/** Changes of `_` and `-` by chats, editors of Markdown and typesetting; a browser sends `/` instead of a backslash. */
const REWRITINGS: readonly ((slug: string) => string)[] = [
  (slug) => slug.replaceAll("_", "*"),
  (slug) => slug.replace("_", "*"),
  (slug) => slug.replaceAll("_", "\\*"),
  ...["\\", "%5C", "%5c", "%255C", "\\\\", "%5C%5C", "/"].map(
    (mark) => (slug: string) => slug.replaceAll(/[-_]/g, `${mark}$&`),
  ),
  (slug) => slug.replaceAll("_", "%5C%5F"),
  (slug) => slug.replaceAll("_", "/*"),
  (slug) => slug.replaceAll(/_(.+?)_/g, "<em>$1</em>"),
  (slug) => slug.replaceAll(/_(.+?)_/g, "%3Ci%3E$1%3C/i%3E"),
  (slug) => slug.replaceAll("-", "%E2%80%91"),
  (slug) => slug.replaceAll("-", raw("\u2010")),
  (slug) => slug.replaceAll("_", "%EF%BC%BF"),
];

it("each rewriting of a slug leads back to it", () => {
  const word = fc.stringMatching(/^[a-z0-9]{1,6}$/);
  const slugs = fc
    .tuple(word, fc.array(fc.tuple(fc.constantFrom("_", "-"), word), { minLength: 1, maxLength: 4 }))
    .map(([first, more]) => [first, ...more.flat()].join(""))
    .filter((slug) => NAME_PATTERN.test(slug));
  fc.assert(
    fc.property(slugs, fc.constantFrom(...REWRITINGS), (slug, rewritten) => {
      for (const prefix of ["/l/", "/d/go.anna.example/"]) {
        const url = prefix + rewritten(slug);
        expect([url, repairedAddress(url)]).toEqual([url, url === prefix + slug ? url : `${prefix}${slug}?`]);
        expect(repairedAddress(`${prefix + rewritten(slug)}.?v=2`)).toBe(`${prefix}${slug}?v=2`);
      }
    }),
  );
});

it.each([
  ["&utm_source=x", "utm_source=x"],
  [".&utm_source=x", "utm_source=x"],
  [";utm_source=x", "utm_source=x"],
  ["%3Butm_source=x", "utm_source=x"],
  ["%3futm_source%3Dx%26utm_medium%3Dy", "utm_source=x&utm_medium=y"],
  ["&amp;utm_source=x&amp;b=c", "utm_source=x&b=c"],
  ["&a=b?c=d", "a=b&c=d"],
  ["&a=b?c=%26", "a=b&c=%26"],
  ["&q=caf%C3%A9", "q=caf%C3%A9"],
  [raw("&q=café"), "q=caf%C3%A9"],
  ["&q=100%25", "q=100%25"],
  ["&q=%2525", "q=%2525"],
  ["&q=%FF", "q=%EF%BF%BD"],
  ["&quot;", ""],
  ["&#8217;", ""],
  ["&amp", ""],
  ["&", ""],
  ["%3F", ""],
])("an address followed by %s has the query %j", (text, query) => {
  for (const address of [LINK, ON_DOMAIN]) expect(repairedAddress(address + text)).toBe(`${address}?${query}`);
});

it.each([
  LINK,
  `${LINK}?utm_source=x)`,
  ON_DOMAIN,
  "/d/go.anna.example",
  "/d/go.anna.example/",
  "/",
  "/redirect?product_id=abc2345",
])("an address stays as it is: %s", (url) => {
  expect(repairedAddress(url)).toBe(url);
});

it.each([
  "/l",
  "/l/",
  "/l/.",
  "/l/&abc2345",
  "/l/ab",
  "/l/.env",
  "/l/abc2345.png",
  "/l/abc%202345",
  "/l/my..slug",
  "/l/my--slug.",
  "/l/abc2345/outcome",
  "/l/abc2345%C3%A9",
  "/l/abc2345e%CC%81",
  "/l/abc2345%EF%BC%91",
  "/l/mug@go.anna.example",
  "/l/mug%40go.anna.example",
  `/l/${"x".repeat(51)}.`,
  "/d/go.anna.example/.",
  "/d/go.anna.example/%F0%9F%94%A5",
  "/d/go.anna.example/not/a/name",
  "/d/go.anna.example/-/outcome",
  "/d/localhost/mug.",
])("an address that no link can have stays as it is: %s", (url) => {
  expect(repairedAddress(url)).toBe(url);
});

it("an address of more than 8,192 characters stays as it is", () => {
  const url = LINK.padEnd(8_192, ".");
  expect([repairedAddress(url), repairedAddress(`${url}.`)]).toEqual([`${LINK}?`, `${url}.`]);
});
