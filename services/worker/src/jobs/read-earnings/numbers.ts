import { normalizedCell } from "@tapthru/proto/rules/read-date";
import { commonCurrencies, currenciesOf } from "./currencies.ts";

type Separator = "." | ",";

/** Amounts are read in hundredths: no store's currency has smaller units. */
const AMOUNT_DIGITS = 2;
export const AMOUNT_UNITS = 10 ** AMOUNT_DIGITS;
export const MAX_AMOUNT = 1e13;
/** The range of a column in Postgres. */
export const MAX_COUNT = 2_147_483_647;

/** Matches the text before a number, the number, and the text after it. A dot after letters ends an abbreviation. */
const NUMBER = /^(\D*?)((?:(?<!\p{L})[.,])?\d(?:[\d.,'\s]*\d)?)(\D*)$/u;
const PLAIN = /^(-?)(\d(?:[\d.,]{0,20}\d)?)$/;
const MINUS = /[\p{Pd}−]/u;
/** Around a sign; within it a hyphen is none, as in `US-Dollar`. */
const EDGES = /^[\s()+\p{Pd}−]+|[\s()+\p{Pd}−]+$/gu;

interface Parts {
  number: string;
  isNegative: boolean;
  /** The currency of its signs; null without signs. */
  currencies: readonly string[] | null;
}

/**
 * Reads the numbers of one file, which has one decimal separator. It follows from the first number that shows it: with both
 * separators the last one is decimal, and so is one before a number of digits that is not three. A currency has no three decimal
 * places, so `1,234` has a separator of thousands, if another number of the file shows it too. A number that contradicts an earlier one is not read.
 */
export function createNumberReader() {
  let decimal: Separator | null = null;
  let [isGuessed, isCertain] = [false, false];
  let currencies: readonly string[] | null = null;

  /** @returns whether it agrees with the earlier numbers of the file */
  function agree(separator: Separator, isGuess: boolean): boolean {
    decimal ??= separator;
    if (isGuess) isGuessed = true;
    else isCertain = true;
    return decimal === separator;
  }

  function read(text: string, digits: number): number | null {
    const parts = partsOf(text);
    if (parts === null) return null;
    currencies = commonCurrencies([currencies, parts.currencies]);
    const value = minorUnits(parts.number, digits, agree);
    if (value === null || value > MAX_AMOUNT) return null;
    return value === 0 || !parts.isNegative ? value : -value;
  }

  return {
    /** An amount in hundredths; null if it cannot be read with certainty. */
    readAmount: (text: string) => read(text, AMOUNT_DIGITS),
    readCount(text: string): number | null {
      const value = read(text, 0);
      return value === null || Math.abs(value) > MAX_COUNT ? null : value;
    },
    /** Nothing shows that the separators of all amounts so far are those of thousands. */
    get isUnclear(): boolean {
      return isGuessed && !isCertain;
    },
    /** The currencies that amounts in cells name; null without any. */
    get currencies(): readonly string[] | null {
      return currencies;
    },
  };
}

/** Returns true if a cell is a number other than 0, with any currency or none. */
export function isNumber(text: string): boolean {
  return /[1-9]/.test(partsOf(text)?.number ?? (/^\P{L}*\p{Sc}\P{L}*$/u.test(text) ? text : ""));
}

export function isAmount(text: string): boolean {
  return isNumber(text) && (/\p{Sc}/u.test(text) || partsOf(text)?.currencies !== null);
}

/** Returns null if it is no number. */
function partsOf(text: string): Parts | null {
  // Most cells, in a fraction of the time.
  const [, minus, plain] = PLAIN.exec(text) ?? [];
  if (plain !== undefined) return { number: plain, isNegative: minus === "-", currencies: null };
  const cell = normalizedCell(text)
    ?.replaceAll("٫", ".")
    .replaceAll(/[٬’ʼ´`]/g, "'");
  if (cell === undefined) return null;
  if (/^[\p{Pd}−]?$/u.test(cell)) return { number: "0", isNegative: false, currencies: null };
  const [, before = "", number = "", after = ""] = NUMBER.exec(cell) ?? [];
  const isInParentheses = /^[^()]*\([^()]*$/.test(before) && /^[^()]*\)[^()]*$/.test(after);
  if (number === "" || (!isInParentheses && /[()]/.test(before + after))) return null;
  let currencies: readonly string[] | null = null;
  let isNegative = isInParentheses;
  for (const part of [before, after]) {
    const sign = part.replaceAll(EDGES, "");
    const named = sign === "" ? null : currenciesOf(sign);
    if (sign !== "" && named === null) return null;
    currencies = commonCurrencies([currencies, named]);
    isNegative ||= MINUS.test(part.match(EDGES)?.join("") ?? "");
  }
  return { number, isNegative, currencies };
}

/** Digits with separators of thousands. India groups by two digits before the last three. */
const GROUPED = {
  ".": /^[1-9]\d{0,2}(?:\.\d{2,3})*\.\d{3}$/,
  ",": /^[1-9]\d{0,2}(?:,\d{2,3})*,\d{3}$/,
  "'": /^[1-9]\d{0,2}(?:['\s]\d{2,3})*['\s]\d{3}$/,
} as const;

/** @param agree whether the separator may be the decimal one of the file */
function minorUnits(
  number: string,
  digits: number,
  agree: (separator: Separator, isGuess: boolean) => boolean,
): number | null {
  const isWhole = (text: string, separator: keyof typeof GROUPED) =>
    /^\d*$/.test(text) || GROUPED[separator].test(text) || GROUPED["'"].test(text);
  const separators = number.match(/[.,]/g) ?? [];
  const last = separators.at(-1) as Separator | undefined;
  if (last === undefined) return isWhole(number, "'") ? scaled(number, "", digits) : null;
  const other = last === "." ? "," : ".";
  const index = number.lastIndexOf(last);
  const whole = number.slice(0, index);
  const fraction = number.slice(index + 1);
  if (GROUPED[last].test(number)) {
    const isGuess = digits > 0 && separators.length === 1;
    return agree(other, isGuess) ? scaled(number, "", digits) : null;
  }
  if (!isWhole(whole, other) || !/^\d+$/.test(fraction)) return null;
  return agree(last, false) ? scaled(whole, fraction, digits) : null;
}

/** Digits beyond those of the currency must be zeros. */
function scaled(whole: string, fraction: string, digits: number): number | null {
  if (/[1-9]/.test(fraction.slice(digits))) return null;
  const text = whole.replaceAll(/\D/g, "") + fraction.slice(0, digits).padEnd(digits, "0");
  return Number(text || "0");
}
