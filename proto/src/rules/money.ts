const known = new Map<string, number>();

/** Decimal places of a currency's smallest unit, such as 2 for EUR and 0 for JPY. @param currency ISO 4217 */
export function fractionDigits(currency: string): number {
  const found = known.get(currency);
  if (found !== undefined) return found;
  const format = new Intl.NumberFormat("en", { style: "currency", currency });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  known.set(currency, digits);
  return digits;
}
