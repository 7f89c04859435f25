import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { displayedName, slug, slugOn } from "../fields.ts";
import { SLUG_MAX_LENGTH, SLUG_MIN_LENGTH } from "./limits.ts";
import { SHORT_CODE_ALPHABET, SHORT_CODE_LENGTH, SHORT_CODE_PATTERN } from "./short-code.ts";
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
    "summer-lamps-2026",
    "a-1",
    "123",
    "amazon-finds",
    "api-lamp",
    "a-co-op-game",
    "amazon-com-finds",
    "a_1-b_2",
    "x".repeat(50),
  ])("may be %s", (text) => {
    expect(parse(text)).toBe(text);
  });

  it.each([
    ...["home-office", "home-security", "mobile-office", "key-wallet", "creator-gifts", "team-gifts", "new_home-gifts"],
    ...["0ffice-team", "store-home", "home-office-links", "free-gift", "media-wallet", "health-store"],
  ])("may be %s on the site too: two words of its paths are no word that visitors trust", (text) => {
    expect(isReservedName(text, null)).toBe(false);
  });

  it("stores a slug trimmed and in lower case", () => {
    expect(parse(" Summer-LAMPS\n")).toBe("summer-lamps");
  });

  it.each([
    "",
    "x".repeat(51),
    "-lamps",
    "lamps-",
    "my--lamps",
    "my_-lamps",
    "_lamps",
    "lamps_",
    "my lamps",
    "lämps",
    "lаmps",
    "lamps/..",
    "lamps%2f",
    "lamps\n\nlamps",
    "lam\u200Bps",
  ])("may not be %j", (text) => {
    expect(parse(text)).toBe(
      "A short link name has 3 to 50 letters a to z, digits, and single hyphens or underscores between them. On own domains 1 is enough",
    );
  });

  it.each([
    "api",
    "Login",
    "l0gin",
    "1ogin",
    "sign-in",
    "amaz0n",
    "amazzon",
    "arnazon",
    "am-azon",
    "amazon-login",
    "amazon-customer-service",
    ...[
      "amazon-sign-in",
      "sign-in-to-amazon",
      "amazon-log-in",
      "s1gn_1n",
      "verify-your-account",
      "update-your-payment",
    ],
    "supp0rt",
    "tap-thru",
    "t4pthru",
    "tappthru",
    "my-tapthru-page",
    "tapthrough",
    "amaz0n-co-uk",
    "amazoncom",
    "www-amazon-com-au",
    "amzn-to",
    "a-co",
    "login_here",
    "amazon_co-uk",
    "paypal-login",
    "projection",
    "up-to-date",
    ...["home", "office", "key", "gifts", "team", "wallet", "security", "creators", "0ffice", "giifts", "se-curity"],
    ...[
      "login-page",
      "home-login",
      "account-security",
      "support-team",
      "official-store",
      "security-alert",
      "admin_team",
    ],
    ...["pay-wallet", "gift-order", "paypal-update", "amazon-gifts", "amzn-to-store", "he1p-home", "password-info"],
  ])("may be %s on an own domain only, because it is reserved or looks like it", (text) => {
    const name = parse(text);
    expect(isReservedName(name, null)).toBe(true);
    expect(isReservedName(name, "go.example")).toBe(false);
  });

  it.each(["a", "42"])("may be %s on an own domain only, because it is short", (text) => {
    expect([parse(text, slugOn("go.example")), parse(text, slugOn(null))]).toEqual([
      text,
      "A short link name has 3 to 50 letters a to z, digits, and single hyphens or underscores between them. On own domains 1 is enough",
    ]);
  });

  it("an accepted slug has the form of a short code and is accepted again unchanged", () => {
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

  it("accepts a slug of the right form that is not reserved on the site's own host", () => {
    fc.assert(
      fc.property(slugs, (text) => {
        const expected = isReservedSlug(text) ? "This short link name is reserved. Please choose another." : text;
        expect(parse(text, slugOn(null))).toBe(expected);
      }),
      { numRuns: 3_000 },
    );
  });
});

describe("slugs look alike", () => {
  const DISGUISES = {
    o: "0",
    l: "1",
    i: "1",
    e: "3",
    a: "4",
    s: "5",
    t: "7",
    b: "8",
    g: "9",
    z: "2",
    m: "rn",
    w: "vv",
    p: "pp",
  };
  const disguises = Object.entries(DISGUISES).map(
    ([letter, disguise]) =>
      (text: string) =>
        text.replaceAll(letter, disguise),
  );
  const reserved = ["amazon", "login", "support", "tapthru", "billing", "webmail", "password"];

  it("slugs look alike with digits for letters, split letters, doubled letters and hyphens between any two", () => {
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

  it("slugs that look alike have the same key, which has only letters", () => {
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

describe("a displayed name", () => {
  it.each([
    "Amazon Customer Service",
    "the AMAZON team",
    "A m a z o n",
    "Аmаzоn",
    "Ámazon's",
    "Arnaz0n",
    "ama-zon",
    ...["amzon", "Amazn", "Amaz()n", "Amaz[]n Deals", "Amaz<>n", "AмΔZΘN", "ΛмΔZΘN", "Am★z★n"],
    ...[
      "Prime Video",
      "Prime Video Support",
      "PayPal Support",
      "Sign in here",
      "Help Desk",
      "Customer Service",
      "4nna Bi11ing",
    ],
    "𝐀𝐦𝐚𝐳𝐨𝐧",
    "amzn",
    "Tap-Thru Support",
    ...["Ama zon", "Ama  zon Service", "the Am azon", "A mazon", "AMA-ZON help", "a.m.a.z.o.n", "Tap thru"],
    ...["Λmazon", "ΛMΛZON", "Λmaz0n", "@mazon", "@m@zon", "*mazon", "/\\mazon", "∆mazon", "Am★zon", "Amaz🍩n"],
    ...[
      "Arnazon",
      "AMAZ0N",
      "amazøn",
      "Amaƶon",
      "ᗩmazon",
      "Amazoո",
      "ama\u{1f170}zon".replace("a\u{1f170}", "\u{1f170}"),
    ],
    ...[
      "Ama\u200bzon",
      "Ama\u3164zon",
      "Ama\u00adzon",
      "Ama\u2800zon",
      "A\u2060mazon",
      "Ama\u034fzon",
      "Ama\u{e0020}zon",
    ],
    ...["ΑΜΑΖΟΝ", "АМАZОN", "ᴀᴍᴀᴢᴏɴ", "ꓮꓟꓮꓜꓳꓠ", "ᎪᎷᎪᏃON", "ⲀⲘⲀⲌⲞⲚ", "ⓐⓜⓐⓩⓞⓝ", "🅰🅼🅰🆉🅾🅽", "🅐🅜🅐🅩🅞🅝", "🇦🇲🇦🇿🇴🇳"],
  ])("a displayed name cannot be %s, a name that visitors trust", (name) => {
    expect(displayedName.safeParse(name).error?.issues[0]?.message).toMatch(
      /^This name is, or looks like, a name of Amazon/,
    );
  });

  it.each([
    "Anna Mazon",
    "María Mazón",
    "Drama Zone",
    "Amazonas Reisen",
    "Amazonia Books",
    "J. A. Mason",
    "アマゾナス",
    "Anna's kitchen",
    "A & B",
    ...["A. Mazon", "Amazing Anna", "Amazone", "Glamazon", "Ama Zone", "Mama Zon", "Zoë Ämazing", "Anna @ home"],
    ...["Optimus Prime", "Home Office Shop", "Damazo Norman", "Home", "Δημήτρης"],
    ...[
      "Αναστασία Μαναβοπούλου",
      "Москва",
      "Łukasz Żółw",
      "アマゾナス",
      "Anna 🇩🇪",
      "★ Anna ★",
      "/\\nna",
      "Tap a thrush",
    ],
  ])("can be %s", (name) => {
    expect(displayedName.parse(name)).toBe(name);
  });
});
