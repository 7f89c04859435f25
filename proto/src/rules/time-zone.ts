const NAME_MAX_LENGTH = 64;
/** `UTC+2`, `GMT-03:30`, `+0530`; with the minus sign of typography too. */
const OFFSET = /^(?:UTC|GMT)?([+\u2212-])(\d{1,2})(?::?([0-5]\d))?$/i;
const OFFSET_MAX_HOURS = 14;
/** Short names that ICU knows and the database does not, such as IST; the others are CET, EET, EST, GMT, HST, MET, MST and WET. */
const ICU_NAME = /^(?!CE|EE|ES|GM|HS|ME|MS|WE)[a-z]{2}T$/i;

/**
 * The time zone in which days are counted: a name of the IANA time zone database as given, a fixed offset such as `+05:30`, or
 * UTC for all else. Browsers without time zone data or with an unusual setting send other texts, such as `Etc/Unknown`.
 * @param text a blank is a `+` that was not encoded in a query
 */
export function readTimeZone(text: string): string {
  const name = text.replaceAll(" ", "+");
  if (name.length > NAME_MAX_LENGTH) return "UTC";
  const [, sign, hours, minutes = "00"] = OFFSET.exec(name) ?? [];
  if (hours !== undefined && Number(hours) <= OFFSET_MAX_HOURS)
    return `${sign === "+" ? "+" : "-"}${hours.padStart(2, "0")}:${minutes}`;
  return isName(name) ? name : "UTC";
}

function isName(timeZone: string): boolean {
  if (!/^[a-z]/i.test(timeZone) || ICU_NAME.test(timeZone)) return false;
  try {
    return new Intl.DateTimeFormat("en", { timeZone }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}
