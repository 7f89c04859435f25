/** Decimal places of a currency's smallest unit, such as 2 for EUR and 0 for JPY. @param currency ISO 4217 */
export function fractionDigits(currency: string): number {
  const format = new Intl.NumberFormat("en", { style: "currency", currency });
  return format.resolvedOptions().maximumFractionDigits ?? 2;
}
