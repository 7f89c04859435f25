const WITHOUT_DECIMALS = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF".split(" ");
const WITH_THREE_DECIMALS = "BHD IQD JOD KWD LYD OMR TND".split(" ");

/**
 * Decimal places of a currency's smallest unit by ISO 4217, such as 2 for EUR and 0 for JPY. Those of Intl differ between browsers
 * and their versions, but not for the currencies of Amazon's stores, in which all stored amounts are.
 */
export function fractionDigits(currency: string): number {
  if (WITHOUT_DECIMALS.includes(currency)) return 0;
  return WITH_THREE_DECIMALS.includes(currency) ? 3 : 2;
}

const formats = new Map<string, Intl.NumberFormat>();

/** @param amount in the smallest unit of the currency @param extraDigits beyond those of the currency */
export function formatMoney(amount: number, currency: string, extraDigits = 0): string {
  const key = `${currency} ${extraDigits}`;
  const digits = fractionDigits(currency);
  const shown = digits + extraDigits;
  const format =
    formats.get(key) ??
    new Intl.NumberFormat("en", {
      style: "currency",
      currency,
      minimumFractionDigits: shown,
      maximumFractionDigits: shown,
    });
  formats.set(key, format);
  return format.format(amount / 10 ** digits);
}
