import { fractionDigits } from "@tapthru/proto/rules/money";
import { LOCALE } from "./locale-formats.ts";

const formats = new Map<string, Intl.NumberFormat>();

/** @param extraDigits beyond those of the currency */
function formatIn(currency: string, extraDigits: number): Intl.NumberFormat {
  const key = `${currency} ${extraDigits}`;
  const known = formats.get(key);
  if (known) return known;
  const format = new Intl.NumberFormat(LOCALE, {
    style: "currency",
    currency,
    ...(extraDigits > 0 && { minimumFractionDigits: fractionDigits(currency) + extraDigits }),
  });
  formats.set(key, format);
  return format;
}

/** @param amount in the smallest unit of the currency */
export function formatMoney(amount: number, currency: string): string {
  return formatIn(currency, 0).format(amount / 10 ** fractionDigits(currency));
}

/** Of one click, with one more digit. @param amount in the smallest unit of the currency, with decimals */
export function formatMoneyPerClick(amount: number, currency: string): string {
  return formatIn(currency, 1).format(amount / 10 ** fractionDigits(currency));
}
