import fc from "fast-check";
import { expect, it, test } from "vitest";
import { DOMAIN_MAX_LENGTH, SLUG_MAX_LENGTH } from "./limits.ts";
import { parseShortLink } from "./parse-short-link.ts";
import { DOMAIN_PATTERN, NAME_PATTERN, SHORT_CODE_PATTERN, shortCodeOf, splitShortCode } from "./short-code.ts";
import { shortUrl } from "./short-url.ts";

test.each([
  ["abc2345", "abc2345"],
  ["  ABC2345 ", "abc2345"],
  ["HTTPS://GO.EXAMPLE/l/ABC2345?utm_source=x#y", "abc2345"],
  ["Look: https://go.example/l/abc2345", "abc2345"],
  ["https://go.example/l/Summer-Lamps-2026?x", "summer-lamps-2026"],
  ["https://Go.Anna.example/Mug", "mug@go.anna.example"],
  ["go.anna.example/mug/?utm_source=x", "mug@go.anna.example"],
  ["https://go.anna.example/", "@go.anna.example"],
  ["https://go.anna.example/ab", "ab@go.anna.example"],
  ["https://go.anna.example/mug/more", null],
  ["https://go.anna.example:8443/mug", null],
  ["https://anna@go.anna.example/mug", null],
  ["https://192.0.2.1/mug", null],
  ["ftp://go.anna.example/mug", null],
  ["https://go.example/", null],
  ["https://go.example/mug", null],
  ["https://go.example/l/mug@go.anna.example", null],
  ["https://letgo.example/l/abc2345", null],
  ["https://evil.go.example/l/abc2345", null],
  ["https://go.example/l/ab", null],
  ["https://go.example/link/abc2345", null],
  ["https://www.amazon.com/dp/B000000001", null],
  ["abc2345 and more", null],
  ["", null],
])("%j has the code %j", (text, code) => {
  expect(parseShortLink(text, "go.example")).toBe(code);
});

const word = fc.stringMatching(/^[a-z0-9]{1,12}$/);
const name = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join("-"));
const names = name.map((text) => text.replace("-", "_")).filter((text) => NAME_PATTERN.test(text));
const hosts = fc
  .tuple(name, fc.array(word, { maxLength: 3 }), fc.stringMatching(/^[a-z]{2,8}$/))
  .map(([first, labels, last]) => [first, ...labels, last].join("."))
  .filter((host) => host !== "go.example");
const SITE = "https://go.example";

it("finds the name and the host of every short code, also in its short URL", () => {
  fc.assert(
    fc.property(fc.option(names, { nil: "" }), fc.option(hosts), (name, host) => {
      if (name === "" && host === null) return;
      const code = shortCodeOf(name, host);
      expect(code).toMatch(SHORT_CODE_PATTERN);
      expect(splitShortCode(code)).toEqual({ name, host });
      for (const text of [shortUrl(SITE, code), `${shortUrl(SITE, code)}?a=b`, code])
        expect(parseShortLink(text, "go.example")).toBe(code);
    }),
  );
});

it("short codes have at most 255 characters, which the redirect's memory can keep", () => {
  const longest = (length: number) => `${"a.".repeat(length / 2 - 1)}${length % 2 ? "a" : ""}co`;
  const host = longest(DOMAIN_MAX_LENGTH);
  const code = shortCodeOf("a".repeat(SLUG_MAX_LENGTH), host);
  expect(host).toHaveLength(DOMAIN_MAX_LENGTH);
  expect(code).toMatch(SHORT_CODE_PATTERN);
  expect(code.length).toBeLessThanOrEqual(255);
  expect(`${code}m`).not.toMatch(SHORT_CODE_PATTERN);
});

it.each([
  "a.b",
  "localhost",
  "192.0.2.1",
  "-a.example",
  "a-.example",
  "a..example",
  "a.example.",
  "A.example",
  "a_b.example",
  "a.example:80",
  "a@b.example",
  "köln.example",
  "a.1",
  "",
])("%j is not the host of an own domain", (host) => {
  expect(host).not.toMatch(DOMAIN_PATTERN);
  expect(`mug@${host}`).not.toMatch(SHORT_CODE_PATTERN);
});
