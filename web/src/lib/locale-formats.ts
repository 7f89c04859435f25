import { openedShare } from "@tapthru/proto/rules/days";

/** The language of the pages, also of their numbers and times. */
export const LOCALE = "en";

const NUMBER = new Intl.NumberFormat(LOCALE);
const PERCENT = new Intl.NumberFormat(LOCALE, { style: "percent", maximumFractionDigits: 0 });
const EXACT_PERCENT = new Intl.NumberFormat(LOCALE, {
  style: "percent",
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});
const CHANGE = new Intl.NumberFormat(LOCALE, {
  style: "percent",
  maximumFractionDigits: 0,
  signDisplay: "exceptZero",
});

export function formatNumber(value: number): string {
  return NUMBER.format(value);
}

/** Such as "1 link" and "2,000 links". */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}

/** @param share 1 is 100 % */
export function formatShare(share: number): string {
  return PERCENT.format(share);
}

export function formatOpened(totals: Parameters<typeof openedShare>[0]): string {
  const share = openedShare(totals);
  return share === null ? "–" : formatShare(share);
}

const RATE = new Intl.NumberFormat(LOCALE, { style: "percent", maximumFractionDigits: 2 });

/** With up to two decimals. @param share 0.045 is 4.5 % */
export const formatRate = (share: number): string => RATE.format(share);

const LIST = new Intl.ListFormat(LOCALE);

/** Such as "A, B, and C". */
export function formatList(texts: readonly string[]): string {
  return LIST.format(texts);
}

/** With one decimal. @param share 1 is 100 % */
export function formatExactShare(share: number): string {
  return EXACT_PERCENT.format(share);
}

/** With a sign. @param share 0.1 is +10 % */
export function formatChange(share: number): string {
  return CHANGE.format(share);
}
