/** The user's languages, for numbers and times. */
export const LOCALES: readonly string[] = navigator.languages;

const NUMBER = new Intl.NumberFormat(LOCALES);
const PERCENT = new Intl.NumberFormat(LOCALES, { style: "percent", maximumFractionDigits: 0 });
const CHANGE = new Intl.NumberFormat(LOCALES, {
  style: "percent",
  maximumFractionDigits: 0,
  signDisplay: "exceptZero",
});

export function formatNumber(value: number): string {
  return NUMBER.format(value);
}

/** @param share 1 is 100 % */
export function formatShare(share: number): string {
  return PERCENT.format(share);
}

/** With a sign. @param share 0.1 is +10 % */
export function formatChange(share: number): string {
  return CHANGE.format(share);
}
