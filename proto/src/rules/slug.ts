import { AMAZON_HOSTS } from "./amazon/hosts.ts";
import { DISPLAYED_NAME_MAX_LENGTH, SLUG_MIN_LENGTH } from "./limits.ts";
import { INVISIBLE, normalized } from "./names.ts";

/** Words that visitors would trust as this site's, Amazon's or a bank's: logins, money and help. */
const TRUSTED_WORDS = `
  abuse access account accounts accountverify admin administrator affiliate alert alerts amazon amzn api associates
  auth authorize aws bank banking billing checkout claim confirm contact customer customers dashboard dmca email faq
  feedback gdpr giftcard giftcards help helpdesk imprint invoice invoices legal login logout mail mastercard mcp
  moderator oauth official operator order orders password pay payment payments paypal phishing policy postmaster prime
  privacy recover recovery refund refunds register reset scam secure service services session sessions settings signin
  signout signup sms spam staff support suspended sysadmin system terms token tokens trust unsubscribe validate
  verification verified verify visa webmail webmaster www
`;

const SITE_WORDS = `
  about ads announcement app apps assets blog bulk careers cdn click clicks code config cookie cookies creation
  creator creators data delete demo developer developers docs download edit emulator error errors export extension
  feed free generate get gift gifts go graphql health here history home host import imports index info internal jobs
  key keys labels link links list livez localhost logs manage manifest me media metadata metrics mobile new news null
  office openapi outcome owner page pages partner partners pattern patterns post press pricing profile projection
  public readyz redirect redirects report reports resolve robots root sales sample save search security setup shop
  sitemap static status store stores subscribe team test undefined update upgrade uptodate url user users version
  video visitor wallet web webhook webhooks
`;

/** Names of people and shops do not have them: of support, and of pages where people log in. */
const HELP_WORDS =
  "billing customercare customerservice helpdesk helpline hotline login logon signin signup support verification verified verify";

/** Words that change nothing: "verify-your-account". */
const FILLERS = "now please to your";

const BRANDS = ["tapthru", "tapthrough"];

const LETTER_OF: Readonly<Record<string, string>> = {
  "0": "o",
  "1": "l",
  "2": "z",
  "3": "e",
  "4": "a",
  "5": "s",
  "6": "g",
  "7": "t",
  "8": "b",
  "9": "g",
  i: "l",
};

export function cleanSlug(text: string): string {
  return text.trim().toLowerCase();
}

/**
 * Two words with the same key look alike: digits instead of letters, "rn" and "vv" instead of "m" and "w", repeated
 * letters.
 */
export function slugLookalikeKey(word: string): string {
  return word
    .replaceAll(/[0-9i]/g, (character) => LETTER_OF[character] ?? character)
    .replaceAll("rn", "m")
    .replaceAll("vv", "w")
    .replaceAll(/(.)\1+/g, "$1");
}

/** Hosts of Amazon, with hyphens for dots; the longest first, because some begin with another. */
const HOSTS = AMAZON_HOSTS.map((host) => host.replaceAll(".", "-")).sort((one, other) => other.length - one.length);
const HOST = new RegExp(`(^|-)(?:${HOSTS.map(wordKeys).join("|")})(?=-|$)`, "g");
const keysOf = (words: string) => words.trim().split(/\s+/).map(joinedKey);
const TRUSTED_KEYS = new Set([...keysOf(TRUSTED_WORDS), ...HOSTS.map(joinedKey)]);
const RESERVED_KEYS = new Set([...TRUSTED_KEYS, ...keysOf(SITE_WORDS)]);
const HELP_KEYS = new Set(keysOf(HELP_WORDS));
const FILLER_KEYS = new Set(keysOf(FILLERS));
const BRAND_KEYS = BRANDS.map(slugLookalikeKey);
/** Words that are also written as two. */
const PHRASE = new RegExp(
  `(^|-)(?:${[
    "check-out",
    "customer-care",
    "customer-service",
    "help-desk",
    "log-in",
    "log-on",
    "log-out",
    "sign-in",
    "sign-out",
    "sign-up",
  ]
    .map(wordKeys)
    .join("|")})(?=-|$)`,
  "g",
);

function wordsOf(keys: string): string[] {
  const joined = keys.replaceAll(PHRASE, (phrase) => phrase.replaceAll(/(?<=.)-/g, ""));
  return joined.split("-").filter((word) => !FILLER_KEYS.has(word));
}

const areTrusted = (words: readonly string[]) =>
  words.every((word) => RESERVED_KEYS.has(word) || HELP_KEYS.has(word)) && words.some((word) => TRUSTED_KEYS.has(word));

/**
 * Returns true if a slug is, or looks like, a name of this site or of Amazon: all of its words are reserved, and one is trusted or there is only
 * one; or they are one of these with hyphens in it; or it contains the name of this service. "amazon-finds" and "home-office" are free,
 * "amazon-login" is not.
 * @param slug in the form of SHORT_CODE_PATTERN
 */
export function isReservedSlug(slug: string): boolean {
  const joined = joinedKey(slug);
  const words = wordsOf(wordKeys(slug).replaceAll(HOST, "$1amazon"));
  return BRAND_KEYS.some((brand) => joined.includes(brand)) || RESERVED_KEYS.has(joined) || areTrusted(words);
}

/**
 * Returns true if a link cannot have the name. On an own domain only the paths of the redirect are reserved, on the site also short names.
 * @param host of an own domain; null: the site's own host
 */
export function isReservedName(name: string, host: string | null): boolean {
  return host === null ? name.length < SLUG_MIN_LENGTH || isReservedSlug(name) : name === "outcome";
}

export const TRUSTED_NAME = "This name is, or looks like, a name of Amazon or of this site. Please choose another one.";

/** Says whether a part of a host name has the name of Amazon or of this service in it, in any spelling. */
export function hasTrustedName(label: string): boolean {
  const latin = latinOf(label);
  const joined = joinedKey(latin);
  return (
    [...BRAND_KEYS, "amazon"].some((brand) => joined.includes(brand)) || wordKeys(latin).split("-").includes("amzn")
  );
}

const OF_THE_RIVER = /^(?:amazon(?:as|e|i)|glamazon)/;

/** Characters that look like a letter in a displayed name, and of punctuation only those that are drawn like one. */
const SIGN = String.raw`(?:@|\*|/\\|[^\p{P}\sa-z\d]{1,2})`;
/** The letters of names that visitors trust, each name with signs in place of two of them. */
const TRUSTED_LETTERS = [...BRAND_KEYS, "amazon"].flatMap((brand) =>
  [...brand].flatMap((one) =>
    [...brand].map((other) =>
      [...brand].map((letter) => (letter === one || letter === other ? `(?:${letter}|${SIGN})` : letter)),
    ),
  ),
);
const anyOf = (between: string) => TRUSTED_LETTERS.map((letters) => letters.join(between)).join("|");
const LOOKS_TRUSTED = new RegExp(`${anyOf("")}|(?<!\\S)(?:ama?zo?n|${anyOf(" ?")})(?!\\S)`, "u");

/** Says the same of a displayed name, by word, and of whole words that are one together: "Anna Mazon" and "A. Mazon" are people. */
export function isTrustedName(name: string): boolean {
  const latin = latinOf(name.slice(0, DISPLAYED_NAME_MAX_LENGTH).replaceAll(INVISIBLE, ""));
  return [/(?!\.\s)[^\p{L}\p{N}\s]/gu, /(?!\.\s|[@*/\\])\p{P}/gu].some((signs) => {
    const words = latin.replaceAll(signs, "").split(/\s+/);
    const others = words.filter((word) => !OF_THE_RIVER.test(word));
    const keys = others.map(slugLookalikeKey);
    const plain = wordsOf(keys.join("-"));
    return LOOKS_TRUSTED.test(keys.join(" ")) || areTrusted(plain) || plain.some((word) => HELP_KEYS.has(word));
  });
}

const LOOK_ALIKES = new Map(
  Object.entries({
    a: "аαɑᴀꓮꭺⲁδλʌᴧ∆△🅰🅐🇦",
    e: "еεєᴇ🅴🅔🇪",
    h: "һнʜ🅷🅗🇭",
    m: "мṃμᴍꓟꮇⲙ🅼🅜🇲",
    n: "пηпոνɴꓠⲛ🅽🅝🇳",
    o: "оοօσθѳөɵᴏꓳⲟ🅾🅞🇴",
    p: "рρᴘ🅿🅟🇵",
    r: "гʀ🆁🅡🇷",
    t: "тτᴛ🆃🅣🇹",
    u: "υսцᴜ🆄🅤🇺",
    z: "ʐʒζƶȥᴢꓜꮓⲍ🆉🅩🇿",
  }).flatMap(([latin, others]) => [...others].map((other) => [other, latin] as const)),
);

function latinOf(label: string): string {
  const plain = normalized("NFKD", label).toLowerCase().replaceAll(/\p{M}/gu, "");
  return [...plain].map((letter) => LOOK_ALIKES.get(letter) ?? letter).join("");
}

function joinedKey(slug: string): string {
  return slugLookalikeKey(slug.replaceAll(/[-_]/g, ""));
}

function wordKeys(slug: string): string {
  return slug.split(/[-_]/).map(slugLookalikeKey).join("-");
}
