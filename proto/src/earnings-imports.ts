import * as z from "zod/mini";
import { emailNotConfirmed } from "./accounts.ts";
import { resource } from "./call.ts";
import { inputs, marketplace, someField } from "./fields.ts";
import { uploadTooSlow } from "./general-errors.ts";
import {
  DATE_ORDERS,
  EARNINGS_IMPORT_STATES,
  EARNINGS_QUESTIONS,
  EARNINGS_REFUSALS,
  REPORT_KINDS,
} from "./rules/earnings.ts";
import { error } from "./rules/error.ts";
import { AMAZON_STORE_ID_MAX_LENGTH, EARNINGS_FILE_MAX_BYTES } from "./rules/limits.ts";

export const importNotFound = error("import-not-found", 404, "Import not found.");

/** Null if the report does not have the column. */
export const EarningsAmounts = z.object({
  earnings: z.nullable(z.int()),
  revenue: z.nullable(z.int()),
  ordered: z.nullable(z.int()),
  shipped: z.nullable(z.int()),
  returned: z.nullable(z.int()),
  clicks: z.nullable(z.int()),
});

/** One of Amazon's reports in a file, with sums. Amounts are integers in the currency's smallest unit. */
export const EarningsReport = z.object({
  fileName: z.string(),
  kind: z.enum(REPORT_KINDS),
  firstDay: z.iso.date(),
  lastDay: z.iso.date(),
  currency: z.string(),
  rowCount: z.int(),
  ...EarningsAmounts.shape,
  /** Parts of the file that are in no sum: rows of totals, and headings of unknown columns with numbers. */
  unreadLines: z.array(z.object({ line: z.int(), text: z.string() })),
  /** Rows whose tracking id no channel and no link of the user has. */
  unmatchedRowCount: z.int(),
  replacedDayCount: z.int(),
  /** Its days that count: none before it is stored, nor those that a later report of the same store, account and kind has. */
  countedDayCount: z.int(),
  /** Days that have stored figures of another account of the user in the store. They count too. */
  otherAccountDayCount: z.int(),
});
export type EarningsReport = z.infer<typeof EarningsReport>;

export const EarningsImport = z.object({
  id: z.uuid(),
  fileName: z.nullable(z.string()),
  state: z.enum(EARNINGS_IMPORT_STATES),
  /** Null until it is known. */
  marketplace: z.nullable(marketplace),
  /** The user's Associates account in the store, if they have several; empty: the only one. */
  storeId: z.string(),
  question: z.nullable(z.enum(EARNINGS_QUESTIONS)),
  refusal: z.nullable(
    z.object({
      reason: z.enum(EARNINGS_REFUSALS),
      fileName: z.nullable(z.string()),
      /** The line of the file, from 1; null if the reason is not in a line. */
      line: z.nullable(z.int()),
      text: z.nullable(z.string()),
    }),
  ),
  createdAt: z.iso.datetime(),
  storedAt: z.nullable(z.iso.datetime()),
  reports: z.array(EarningsReport),
  ignoredFiles: z.array(z.string()),
});
export type EarningsImport = z.infer<typeof EarningsImport>;

const params = z.object({ id: z.uuid({ error: importNotFound.message }) });
const storeId = z
  .string()
  .check(z.trim(), z.toLowerCase(), z.maxLength(AMAZON_STORE_ID_MAX_LENGTH), z.regex(/^[\w.-]*$/));
const answers = {
  marketplace: z.optional(marketplace),
  storeId: z.optional(storeId),
  dateOrder: z.optional(z.enum(DATE_ORDERS)),
};

export const earningsFileTooLarge = error(
  "earnings-file-too-large",
  413,
  `The file is larger than ${EARNINGS_FILE_MAX_BYTES / (1_024 * 1_024)} MB.`,
);
export const earningsNotReady = error("earnings-not-ready", 409, "The file is not read yet.");
export const earningsStored = error("earnings-stored", 409, "The import is already stored.");
export const fileExpected = error(
  "file-expected",
  415,
  "Send the file with the content type application/octet-stream.",
);
export const tooManyEarningsImports = error(
  "too-many-earnings-imports",
  409,
  "You have the maximum number of imports. Remove one first.",
);

const earnings = resource("Earnings", { reads: "earnings:read", writes: "earnings:write" });

const FILE =
  'Fee-Earnings reports from 10-01-2026 to 10-31-2026\r\nCategory,Name,ASIN,Seller,Tracking ID,Date Shipped,Price($),Items Shipped,Returns,Revenue($),Ad Fees($),Device Type Group,Direct\r\nKitchen,"Mug, large",B08N5WRWNW,Amazon.com,me-20,2026-10-03,12.99,1,0,12.99,0.52,Phone,Direct\r\n';

export const createEarningsImport = earnings.post("/api/earnings/imports", {
  summary: "Send a file of Amazon's reports",
  description:
    "The file that Amazon Associates offers for download: a ZIP, CSV or tab-separated text with the reports Fee-Earnings, Fee-Orders, Fee-Tracking, Fee-DailyTrends or Bounty; 50 MB and 1,000,000 rows at most. It is read in the background: get the import until its state is no longer `reading`. Nothing counts before it is stored. It replaces an earlier file of the user that was not stored. `marketplace`, `storeId` and `dateOrder` answer questions that the file may leave open.",
  limit: "importEarnings",
  query: z.object({ name: z.optional(z.string().check(z.maxLength(200))), ...answers }),
  file: { type: "application/octet-stream", maxBytes: EARNINGS_FILE_MAX_BYTES },
  replies: { 202: EarningsImport },
  errors: [earningsFileTooLarge, emailNotConfirmed, fileExpected, tooManyEarningsImports, uploadTooSlow],
  fileExample: FILE,
  records: "earnings-import.created",
});

export const listEarningsImports = earnings.get("/api/earnings/imports", {
  summary: "List imports of reports",
  description:
    "The user's imports, newest first, 100 at most; `after` is the id of the last one of the page before. An import that is not stored is deleted after a day; a stored one stays until you delete it.",
  query: z.object({ after: z.optional(z.uuid()) }),
  replies: { 200: z.array(EarningsImport) },
});

export const getEarningsImport = earnings.get("/api/earnings/imports/:id", {
  summary: "Get an import of reports",
  description:
    "The contents of the file: the sums of each report, their number of rows (`rowCount`), and the lines that are in no sum (`unreadLines`). `question` names a missing answer, `refusal` the first reason why the file was refused, with file, line and text.",
  params,
  replies: { 200: EarningsImport },
  errors: [importNotFound],
});

export const answerEarningsImport = earnings.patch("/api/earnings/imports/:id", {
  summary: "Answer the questions about a file of reports",
  description:
    "The store, the Associates account, or whether the dates begin with the day or the month. The file is read again.",
  limit: "importEarnings",
  params,
  body: z
    .strictObject(answers)
    .check(someField)
    .register(inputs, { also: { minProperties: 1 } }),
  replies: { 202: EarningsImport },
  errors: [earningsNotReady, earningsStored, importNotFound],
  records: "earnings-import.changed",
});

export const storeEarningsImport = earnings.post("/api/earnings/imports/:id/store", {
  summary: "Store an import of reports",
  description:
    "From now on its figures count, in place of those of the same store, account and report on the same days. An import that is stored is returned as it is.",
  params,
  replies: { 200: EarningsImport },
  errors: [earningsNotReady, importNotFound],
  records: "earnings-import.changed",
});

export const deleteEarningsImport = earnings.delete("/api/earnings/imports/:id", {
  summary: "Delete an import of reports",
  description: "Deletes the import and its figures. The figures that it replaced count again.",
  params,
  replies: { 200: z.object({ id: z.uuid() }) },
  errors: [importNotFound],
  records: "earnings-import.changed",
});
