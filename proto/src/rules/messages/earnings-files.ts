// Not in all.ts, which is in the first script.

import { EARNINGS_FILE_MAX_BYTES, EARNINGS_ROWS_MAX_COUNT } from "../limits.ts";

export const importReportsTitle = "Import Amazon's reports";
export const importReportsIntro =
  "In Amazon's Associates Central, open Reports and download them. Nothing counts before you have seen what the file has.";
export const reportFile = "Choose a file";
export const chooseReportFile = "Choose a ZIP, CSV or TSV file";
export const dropReportFile = `Or drop it here. ${EARNINGS_FILE_MAX_BYTES / (1_024 * 1_024)} MB and ${EARNINGS_ROWS_MAX_COUNT.toLocaleString("en")} rows at most.`;
export const sendingFile = "Sending...";
export const readableReports =
  "Fee-Earnings, Fee-Orders, Fee-Tracking, Fee-DailyTrends and Bounty are read, alone or together in a ZIP. A later report of the same days and store replaces the earlier one, so you can import overlapping periods.";
export const failedToSendFile = "The file could not be sent. Please try again.";
export const earningsImportsFailed = "Your imports could not be loaded.";
export const unnamedReportFile = "Reports from Amazon";
export const readingReports = "Amazon's reports are being read. You can leave this page.";

// A question, or a correction
export const earningsQuestions = {
  marketplace: "The file does not say from which store it is.",
  "date-order": "The dates of this file can be read in two ways. What would 03/04/2026 be in it?",
} as const;
export const storeOfReports = "Store";
export const chooseStore = "Choose the store";
export const storeIdOfReports = "Store ID of your Associates account";
export const storeIdHint = "Only if you have several accounts in this store.";
export const invalidStoreId = "Use letters, digits, hyphens and underscores only.";
export const dateOrder = "Order of dates";
export const dateOrders = {
  "day-first": { name: "Day first", text: "03/04/2026 would be April 3." },
  "month-first": { name: "Month first", text: "03/04/2026 would be March 4." },
} as const;
export const continueReading = "Continue";
export const changeReading = "Is the store, the account or a date wrong?";
export const hideReading = "Hide";
export const readAgain = "Read again";
export const failedToReadAgain = "This could not be saved. Please try again.";

// The preview
export const reportsOfStore = (store: string) => `Reports of ${store}`;
export const reportsOfAccount = (store: string, account: string) =>
  `Reports of ${store}, account ${account}`;
export const reportsReady =
  "Nothing counts yet. Compare these sums with Amazon's, then store them.";
export const reportsStored = "These figures count.";
export const reportKinds = {
  earnings: "Earnings",
  orders: "Orders",
  tracking: "Tracking IDs",
  "daily-trends": "Days",
  bounties: "Bounties",
} as const;
export const rowsOfReport = (count: number, text: string) =>
  count === 1 ? "1 row" : `${text} rows`;
export const unmatchedRows = (count: number, text: string) =>
  count === 1
    ? "1 row has a tracking ID that no channel or link of yours has."
    : `${text} rows have a tracking ID that no channel or link of yours has.`;
export const replacedDays = (count: number, text: string) =>
  count === 1
    ? "Replaces the stored figures of 1 day."
    : `Replaces the stored figures of ${text} days.`;
export const daysOfOtherAccounts = (count: number, text: string) =>
  count === 1
    ? "1 of these days has figures of another store ID. Both will count."
    : `${text} of these days have figures of another store ID. Both will count.`;
export const ignoredFiles = (names: string) => `Not needed, and not read: ${names}`;
export const storeReports = "Store these figures";
export const failedToStoreReports = "The figures could not be stored. Please try again.";
export const discardReports = "Discard";
export const importOtherReports = "Import another file";
export const yourEarnings = "Your earnings";

// Refusals
export const reportsRefused = "The file was refused. Nothing of it is stored.";
export const refusedIn = (file: string) => `In ${file}`;
export const refusedInLine = (file: string, line: string) => `In ${file}, line ${line}`;
export const refusedLine = (line: string) => `In line ${line}`;
export const earningsRefusals = {
  "unreadable-file":
    "The file could not be read. Please send the ZIP, CSV or TSV as Amazon made it.",
  spreadsheet:
    "This is a spreadsheet. Please send the CSV or ZIP as Amazon made it, or save the spreadsheet as CSV.",
  "not-read":
    "The file could not be read here, although it was tried several times. Please import it again, or shorter periods.",
  "takes-too-long":
    "The file takes too long to read. Please download shorter periods, and send the CSV as Amazon made it.",
  "empty-file": "There is no report in this file.",
  "too-many-rows": `The file has more than ${EARNINGS_ROWS_MAX_COUNT.toLocaleString("en")} rows. Please download shorter periods.`,
  "unknown-report":
    "This is not a report that can be read. Its columns are not those of a known one.",
  "missing-column": "The report lacks a column that is needed.",
  "unclear-number": "This is not a number that can be read without doubt.",
  "unclear-date": "This is not a date that can be read without doubt.",
  "date-out-of-range": "This day is not in the period of the report.",
  "wrong-currency": "The currency is not that of the store.",
  "repeated-days":
    "Two reports of one kind have the same days, and one would replace the other. Please import them one after the other, with the store ID of each account.",
} as const;

// Earlier imports
export const reportIn = (kind: string, days: string) => `${kind}, ${days}`;
/** How much of a stored report counts. */
export const countedReport = (report: string, counted: number, all: number) => {
  if (counted === all) return `${report}: counts`;
  return counted === 0
    ? `${report}: replaced, no longer counts`
    : `${report}: counts for ${counted} of ${all} days, the others are replaced`;
};
export const replaceOpenReports = (name: string) =>
  `${name} is not stored. Discard it, and import the new file?`;
export const discardAndImport = "Discard and import";
export const earningsImportStates = {
  reading: "being read",
  question: "has a question",
  ready: "not stored",
  stored: "stored",
  refused: "refused",
} as const;
export const removeReports = "Remove";
export const removeReportsOf = (name: string) => `Remove ${name}`;
export const removingReports = "Removing...";
export const confirmRemoveReports =
  "Remove this import with its figures? Figures that it replaced count again.";
export const failedToRemoveReports = "The import could not be removed. Please try again.";
