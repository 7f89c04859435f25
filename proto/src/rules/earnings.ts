/** Amazon's reports that are read. Their names, columns and variants are in services/worker/src/jobs/read-earnings. */
export const REPORT_KINDS = ["earnings", "orders", "tracking", "daily-trends", "bounties"] as const;
export type ReportKind = (typeof REPORT_KINDS)[number];

/**
 * `reading`: the worker reads the file. `question`: the user has to say something first. `ready`: nothing is stored yet.
 * `stored`: its figures count. `refused`: nothing of it is stored.
 */
export const EARNINGS_IMPORT_STATES = ["reading", "question", "ready", "stored", "refused"] as const;

/** Questions that the file leaves open: its store, or whether its dates begin with the day or the month. */
export const EARNINGS_QUESTIONS = ["marketplace", "date-order"] as const;

export const DATE_ORDERS = ["day-first", "month-first"] as const;
export type DateOrder = (typeof DATE_ORDERS)[number];

/** Why a file is refused. `not-read`: its runs failed again and again. `takes-too-long`: a run used all of its time or memory. */
export const EARNINGS_REFUSALS = [
  "unreadable-file",
  "spreadsheet",
  "not-read",
  "takes-too-long",
  "empty-file",
  "too-many-rows",
  "unknown-report",
  "missing-column",
  "unclear-number",
  "unclear-date",
  "date-out-of-range",
  "wrong-currency",
  "repeated-days",
] as const;
export type EarningsRefusal = (typeof EARNINGS_REFUSALS)[number];

/**
 * How a row was matched. `link`: the one link with its tracking id and product. `links`: several links have both. `channel`:
 * by its tracking id alone. `none`: no channel or link of the user has the tracking id.
 */
export const EARNINGS_MATCHES = ["link", "links", "channel", "none"] as const;
