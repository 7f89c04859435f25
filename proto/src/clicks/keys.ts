/** Each visit has exactly one class. */
export const CLICK_CLASSES = ["person", "preview", "bot", "prefetch", "assistant"] as const;
export type ClickClass = (typeof CLICK_CLASSES)[number];
export const NO_CLICKS: Readonly<Record<ClickClass, number>> = {
  person: 0,
  preview: 0,
  bot: 0,
  prefetch: 0,
  assistant: 0,
};

const PERSON_DIMENSIONS = ["device", "app", "country", "store", "referrer", "source", "pay"] as const;
/** Classes that are counted by the names of their programs. */
export const PROGRAM_CLASSES = ["preview", "bot", "assistant"] as const satisfies readonly ClickClass[];
export type ProgramClass = (typeof PROGRAM_CLASSES)[number];
export const DIMENSIONS = [...PERSON_DIMENSIONS, ...PROGRAM_CLASSES] as const;
export type Dimension = (typeof DIMENSIONS)[number];

/** Value of `country`, `referrer` and `source` that is unknown, absent or beyond the bound. */
export const UNKNOWN_COUNTRY = "unknown";
export const DIRECT = "direct";
export const OTHER_REFERRER = "other";
export const ASSISTANT_REFERRERS = "assistants";
/**
 * People who opened the store of the link's own destination. Only visits that were sent to another store have a key of
 * `store`; all others are counted by subtraction.
 */
export const ORIGINAL_STORE = "original";
/** Instead of a store: people who opened the link's fallback, or the link by its code without tag. */
export const FALLBACK = "fallback";
export const UNTAGGED = "untagged";

/**
 * Values of `pay`: why Amazon does not pay for what a person buys after a tap, by its rules of 2026-04-14. Each tap has the
 * first one that is true. Taps that could pay have no key, and are counted by subtraction.
 *
 * `store`: the address has no tag of this store, and the owner has none there; `tag`: it has none though the owner has one, or
 * two, an example, or one that Amazon does not read.
 */
export const UNPAID = [UNTAGGED, "ads", "mail", "print", "store", "tag"] as const;
export type Unpaid = (typeof UNPAID)[number];
export const PAYABLE = "payable";

export const MAX_REFERRERS = 50;
export const MAX_REFERRERS_OF_USER = 500;
export const REFERRER_MAX_LENGTH = 100;

/** Names the place of a short link, such as `newsletter`. Never passed on to a store. */
export const SOURCE_PARAMETER = "from";
export const SOURCE_MAX_LENGTH = 50;
export const SOURCE: RegExp = /^[\w-]+$/;
export const AD_SOURCE = "paid:ads";
/** Codes for print have it in their address. */
export const PRINT_SOURCE = "qr";
/** Programs whose name is on no list, so that nobody can invent names. */
export const OTHER_PROGRAM = "other";
/** Programs with the name of a browser that send none of its headers. */
export const PRETENDER = "pretender";

// Keys are short because they are stored for each link and day.
const CLASS_KEYS: Record<ClickClass, string> = {
  person: "p",
  preview: "v",
  bot: "b",
  prefetch: "f",
  assistant: "i",
};
const PREFIXES: Record<Dimension, string> = {
  device: "d:",
  app: "a:",
  country: "c:",
  store: "s:",
  referrer: "r:",
  source: "g:",
  pay: "y:",
  preview: "n:v:",
  bot: "n:b:",
  assistant: "n:i:",
};

export const PAGE_KEY = "o:page";
export const OPENED_KEY = "o:opened";
export const STAYED_KEY = "o:stayed";

export function classKey(clickClass: ClickClass): string {
  return CLASS_KEYS[clickClass];
}

export function dimensionKey(dimension: Dimension, value: string): string {
  return PREFIXES[dimension] + value;
}

export function keyName(key: string): string {
  for (const clickClass of CLICK_CLASSES) if (key === classKey(clickClass)) return clickClass;
  for (const dimension of DIMENSIONS) {
    const value = dimensionValue(dimension, key);
    if (value !== null) return `${dimension} ${value}`;
  }
  return key === PAGE_KEY ? "app-opening page" : key.slice("o:".length);
}

export function dimensionPrefix(dimension: Dimension): string {
  return PREFIXES[dimension];
}

/** The value of a key of this dimension; null for other keys. */
export function dimensionValue(dimension: Dimension, key: string): string | null {
  return key.startsWith(PREFIXES[dimension]) ? key.slice(PREFIXES[dimension].length) : null;
}
