import * as z from "zod/mini";

/** Client addresses are personal data: they are logged only while an incident is investigated. */
export const MAX_LOGGED_DAYS = 7;

const DAY_MS = 24 * 60 * 60 * 1_000;
const TIME_PATTERN = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)$/;

function isWithinLimit(text: string): boolean {
  const time = TIME_PATTERN.test(text) ? Date.parse(text) : Number.NaN;
  return time - Date.now() <= MAX_LOGGED_DAYS * DAY_MS;
}

/**
 * When logging of client addresses ends, in milliseconds since 1970. A past time is valid, so that a gateway can
 * restart with an old setting.
 */
export const addressesLoggedUntil = z.pipe(
  z
    .string()
    .check(
      z.refine(
        isWithinLimit,
        `must be a time such as 2026-11-22T00:00Z, at most ${MAX_LOGGED_DAYS} days ahead`,
      ),
    ),
  z.transform((text) => Date.parse(text)),
);

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
