import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { slug, slugOn } from "../fields.ts";
import { SHORT_CODE_ALPHABET, SHORT_CODE_LENGTH, SHORT_CODE_PATTERN } from "../redirect/short-code.ts";
import { SLUG_MAX_LENGTH, SLUG_MIN_LENGTH } from "./limits.ts";
import { messages } from "./messages.ts";
import { cleanSlug, isReservedName, isReservedSlug, slugLookalikeKey } from "./slug.ts";

function parse(text: string, schema: typeof slug = slug): string {
  const parsed = z.safeParse(schema, text);
  return parsed.success ? parsed.data : (parsed.error.issues[0]?.message ?? "");
}

const letters = "abcdefghijklmnopqrstuvwxyz0123456789";
const word = fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 12 });
const slugs = fc
  .array(word, { minLength: 1, maxLength: 5 })
  .map((words) => words.join("-"))
  .filter((text) => text.length >= SLUG_MIN_LENGTH && text.length <= SLUG_MAX_LENGTH);

describe("a slug", () => {
  it.each([
    "lamps",
    "summer-lamps-2026",
    "a-1",
    "123",
    "amazon-finds",
    "my-shop",
    "api-lamp",
    "a-co-op-game",
    "amazon-com-finds",
    "kaffee-maschine",
    "my_lamps",
    "a_1-b_2",
    "x".repeat(50),
  ])("may be %s", (text) => {
    expect(parse(text)).toBe(text);
  });

  it.each([
    ["in upper case is stored in lower case", "Summer-LAMPS", "summer-lamps"],
    ["is trimmed", " lamps\n", "lamps"],
  ])("%s", (_title, text, stored) => {
    expect(parse(text)).toBe(stored);
  });

  it.each([
    ["", "empty"],
    ["x".repeat(51), "too long"],
    ["-lamps", "with a hyphen first"],
    ["lamps-", "with a hyphen last"],
    ["my--lamps", "with two hyphens"],
    ["my_-lamps", "with an underscore and a hyphen"],
    ["_lamps", "with an underscore first"],
    ["lamps_", "with an underscore last"],
    ["my lamps", "with a blank"],
    ["lämps", "with an umlaut"],
    ["lаmps", "with a Cyrillic letter"],
    ["lamps/..", "with a path"],
    ["lamps%2f", "with a percent sign"],
    ["lamps\n\nlamps", "with a line break"],
    ["lam\u200Bps", "with an invisible character"],
  ])("may not be %j, %s", (text) => {
    expect(parse(text)).toBe(messages.slugMalformed);
  });

  it.each([
    "api",
    "admin",
    "Login",
    "log-in",
    "l0gin",
    "1ogin",
    "sign-in",
    "amazon",
    "amaz0n",
    "amazzon",
    "arnazon",
    "4mazon",
    "am-azon",
    "amazon-login",
    "amazon-customer-service",
    "support",
    "supp0rt",
    "tapthru",
    "tap-thru",
    "t4pthru",
    "7apthru",
    "tappthru",
    "tapthru-support",
    "my-tapthru-page",
    "tapthrough",
    "amazon-com",
    "amaz0n-co-uk",
    "amazoncom",
    "www-amazon-com-au",
    "amazon-com-login",
    "amzn-to",
    "a-co",
    "login-here",
    "log_in",
    "login_here",
    "amazon_co-uk",
    "tap_thru",
    "paypal-login",
    "projection",
    "up-to-date",
  ])("may be %s on an own domain only, because it is reserved or looks like it", (text) => {
    const name = parse(text);
    expect(isReservedName(name, null)).toBe(true);
    expect(isReservedName(name, "go.example")).toBe(false);
  });

  it.each(["a", "42"])("may be %s on an own domain only, because it is short", (text) => {
    expect([parse(text, slugOn("go.example")), parse(text, slugOn(null))]).toEqual([text, messages.slugMalformed]);
  });

  it("in any accepted form has the form of a short code, and is accepted again unchanged", () => {
    fc.assert(
      fc.property(fc.oneof(slugs, fc.string({ unit: "binary" })), (text) => {
        const parsed = z.safeParse(slug, text);
        if (!parsed.success) return;
        expect(`${parsed.data}@go.example`).toMatch(SHORT_CODE_PATTERN);
        expect(parsed.data).toMatch(/^[a-z0-9_-]{1,50}$/);
        expect(parse(parsed.data)).toBe(parsed.data);
        expect(cleanSlug(text.toUpperCase())).toBe(parsed.data);
      }),
      { numRuns: 3_000 },
    );
  });

  it("is accepted on the site's own host if it has the form and is not reserved", () => {
    fc.assert(
      fc.property(slugs, (text) => {
        const expected = isReservedSlug(text) ? messages.slugReserved : text;
        expect(parse(text, slugOn(null))).toBe(expected);
      }),
      { numRuns: 3_000 },
    );
  });
});

describe("slugs look alike", () => {
  const disguises = [
    (text: string) => text.replaceAll("o", "0"),
    (text: string) => text.replaceAll("l", "1"),
    (text: string) => text.replaceAll("i", "1"),
    (text: string) => text.replaceAll("i", "l"),
    (text: string) => text.replaceAll("e", "3"),
    (text: string) => text.replaceAll("a", "4"),
    (text: string) => text.replaceAll("s", "5"),
    (text: string) => text.replaceAll("t", "7"),
    (text: string) => text.replaceAll("b", "8"),
    (text: string) => text.replaceAll("g", "9"),
    (text: string) => text.replaceAll("z", "2"),
    (text: string) => text.replaceAll("m", "rn"),
    (text: string) => text.replaceAll("w", "vv"),
    (text: string) => text.replaceAll("p", "pp"),
  ];
  const reserved = ["amazon", "login", "support", "tapthru", "billing", "webmail", "password"];

  it("with digits for letters, split letters, doubled letters and hyphens between any two", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...reserved),
        fc.subarray(disguises),
        fc.nat({ max: 20 }),
        (name, chosen, position) => {
          const disguised = chosen.reduce((text, disguise) => disguise(text), name);
          expect(isReservedSlug(disguised)).toBe(true);
          const at = 1 + (position % (disguised.length - 1));
          expect(isReservedSlug(`${disguised.slice(0, at)}-${disguised.slice(at)}`)).toBe(true);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it("by a key of letters only", () => {
    fc.assert(
      fc.property(word, (text) => {
        expect(slugLookalikeKey(text)).toMatch(/^[a-hj-z]+$/);
      }),
    );
  });
});

it("every generated code has the form of a short code", () => {
  const code = fc.string({
    unit: fc.constantFrom(...SHORT_CODE_ALPHABET),
    minLength: SHORT_CODE_LENGTH,
    maxLength: SHORT_CODE_LENGTH,
  });
  fc.assert(
    fc.property(code, (text) => {
      expect(text).toMatch(SHORT_CODE_PATTERN);
    }),
  );
});
