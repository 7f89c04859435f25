import { normalizedCell } from "@tapthru/core/read-date";
import { commonCurrencies, currenciesOf } from "./headings.ts";

type Separator = "." | ",";

/** Larger amounts and counts are errors. */
export const MAX_AMOUNT = 1e13;
/** Of a column in Postgres. */
export const MAX_COUNT = 2_147_483_647;

/** What is before a number, the number, and what is after it. */
const NUMBER = /^(\D*?)((?:(?<=^[\s(−-]*)[.,])?\d(?:[\d.,'’\s]*\d)?)(\D*)$/u;

export interface NumberReader {
  /** An amount in units of the last of `digits` decimal places; null if it cannot be read with certainty. */
  readAmount(text: string, digits: number): number | null;
  readCount(text: string): number | null;
  /** Whether nothing shows that the separators of all amounts so far are those of thousands. */
  readonly isUnclear: boolean;
  /** The currencies that amounts in cells name; null without any. */
  readonly currencies: readonly string[] | null;
}

/**
 * Reads the numbers of one file, which has one decimal separator. It follows from the first number that shows it: with both
 * separators the last one is decimal, and so is one before a number of digits that is not three. A currency has no three decimal
 * places, so `1,234` has a separator of thousands, if another number of the file shows it too. A number that contradicts an earlier one is not read.
 */
export function createNumberReader(): NumberReader {
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
    const cell = normalizedCell(text);
    if (cell === undefined) return null;
    if (cell === "" || cell === "-" || cell === "–") return 0;
    const [, before = "", number = "", after = ""] = NUMBER.exec(cell) ?? [];
    if (number === "") return null;
    const sign = (before + after).replaceAll(/[\s()−-]/g, "");
    if (sign !== "") {
      const named = currenciesOf(sign);
      if (named === null) return null;
      currencies = commonCurrencies([currencies, named]);
    }
    const value = minorUnits(number.replaceAll(/['’\s]/g, ""), digits, agree);
    if (value === null || value > MAX_AMOUNT) return null;
    const isNegative = /[−-]/.test(before + after) || (before.includes("(") && after.includes(")"));
    return value === 0 || !isNegative ? value : -value;
  }

  return {
    readAmount: read,
    readCount(text) {
      const value = read(text, 0);
      return value === null || Math.abs(value) > MAX_COUNT ? null : value;
    },
    get isUnclear() {
      return isGuessed && !isCertain;
    },
    get currencies() {
      return currencies;
    },
  };
}

/** Digits with separators of thousands. India groups by two digits before the last three. */
const GROUPED: Readonly<Record<Separator, RegExp>> = {
  ".": /^[1-9]\d{0,2}(?:\.\d{2,3})*\.\d{3}$/,
  ",": /^[1-9]\d{0,2}(?:,\d{2,3})*,\d{3}$/,
};

/** @param agree whether the separator may be the decimal one of the file */
function minorUnits(
  number: string,
  digits: number,
  agree: (separator: Separator, isGuess: boolean) => boolean,
): number | null {
  const separators = number.match(/[.,]/g) ?? [];
  const last = separators.at(-1) as Separator | undefined;
  if (last === undefined) return scaled(number, "", digits);
  const other = last === "." ? "," : ".";
  const index = number.lastIndexOf(last);
  const whole = number.slice(0, index);
  const fraction = number.slice(index + 1);
  if (GROUPED[last].test(number)) {
    const isGuess = digits > 0 && separators.length === 1;
    return agree(other, isGuess) ? scaled(number, "", digits) : null;
  }
  if (!/^\d*$/.test(whole) && !GROUPED[other].test(whole)) return null;
  return agree(last, false) ? scaled(whole, fraction, digits) : null;
}

/** Digits beyond those of the currency must be zeros. */
function scaled(whole: string, fraction: string, digits: number): number | null {
  if (/[1-9]/.test(fraction.slice(digits))) return null;
  const text = whole.replaceAll(/\D/g, "") + fraction.slice(0, digits).padEnd(digits, "0");
  return Number(text || "0");
}
