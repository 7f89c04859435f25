/**
 * For the http block: sets `$logs_address` until that time, and `$logs_no_address` afterwards. nginx cannot compare
 * numbers, so the time is a pattern.
 */
export function loggedAddresses(untilMs: number): string {
  return `
map $msec $logs_address {
  default "";
  "~^${lessThanPattern(Math.floor(untilMs / 1_000))}[.]" 1;
}
map $logs_address $logs_no_address {
  default "";
  "" 1;
}`;
}

/** A regular expression for all smaller numbers with the same number of digits. */
export function lessThanPattern(limit: number): string {
  const digits = String(limit);
  const patterns = [...digits].flatMap((digit, index) =>
    digit === "0"
      ? []
      : [`${digits.slice(0, index)}[0-${Number(digit) - 1}]\\d{${digits.length - index - 1}}`],
  );
  return `(?:${patterns.join("|")})`;
}
