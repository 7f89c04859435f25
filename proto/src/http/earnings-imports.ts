import * as z from "zod/mini";
import {
  DATE_ORDERS,
  EARNINGS_IMPORT_STATES,
  EARNINGS_QUESTIONS,
  EARNINGS_REFUSALS,
  REPORT_KINDS,
} from "../rules/earnings.ts";
import { AMAZON_STORE_ID_MAX_LENGTH, EARNINGS_FILE_MAX_BYTES } from "../rules/limits.ts";
import { messages } from "../rules/messages.ts";
import type { Call } from "./call.ts";
import { marketplace } from "./fields.ts";

/** One of Amazon's reports in a file. Amounts are integers in the currency's smallest unit. */
export const EarningsReport = z.object({
  fileName: z.string(),
  kind: z.enum(REPORT_KINDS),
  firstDay: z.iso.date(),
  lastDay: z.iso.date(),
  currency: z.string(),
  rowCount: z.int(),
  /** Sums; null if the report does not have the column. */
  earnings: z.nullable(z.int()),
  revenue: z.nullable(z.int()),
  ordered: z.nullable(z.int()),
  shipped: z.nullable(z.int()),
  returned: z.nullable(z.int()),
  /** Clicks that Amazon counted. */
  clicks: z.nullable(z.int()),
  /** Rows whose tracking id no channel and no link of the user has. */
  unmatchedRowCount: z.int(),
  /** Days whose stored figures it replaces. */
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
      /** Of the file, from 1; null: the reason is not in a line. */
      line: z.nullable(z.int()),
      /** What the line has there. */
      text: z.nullable(z.string()),
    }),
  ),
  createdAt: z.iso.datetime(),
  storedAt: z.nullable(z.iso.datetime()),
  reports: z.array(EarningsReport),
  /** Files of the ZIP that are not read, because nothing is shown from them. */
  ignoredFiles: z.array(z.string()),
});
export type EarningsImport = z.infer<typeof EarningsImport>;

const params = z.object({ id: z.uuid({ error: messages.importNotFound }) });
const storeId = z
  .string()
  .check(z.trim(), z.toLowerCase(), z.maxLength(AMAZON_STORE_ID_MAX_LENGTH), z.regex(/^[\w-]*$/));
const answers = {
  marketplace: z.optional(marketplace),
  storeId: z.optional(storeId),
  dateOrder: z.optional(z.enum(DATE_ORDERS)),
};

/**
 * Receives a file of Amazon's reports: a ZIP, CSV or tab-separated text. The worker reads it; `getEarningsImport` shows the
 * result. Nothing counts before `storeEarningsImport`. It replaces an earlier import of the user that was not stored.
 */
export const createEarningsImport = {
  method: "POST",
  path: "/api/earnings/imports",
  access: "earnings:write",
  limit: "importEarnings",
  query: z.object({ name: z.optional(z.string().check(z.maxLength(200))), ...answers }),
  file: { type: "application/octet-stream", maxBytes: EARNINGS_FILE_MAX_BYTES },
  replies: { 202: EarningsImport },
} as const satisfies Call;

/** The user's imports, newest first: EARNINGS_IMPORTS_PAGE_SIZE at most, which follow the import `after`. */
export const listEarningsImports = {
  method: "GET",
  path: "/api/earnings/imports",
  access: "earnings:read",
  query: z.object({ after: z.optional(z.uuid()) }),
  replies: { 200: z.array(EarningsImport) },
} as const satisfies Call;

export const getEarningsImport = {
  method: "GET",
  path: "/api/earnings/imports/:id",
  access: "earnings:read",
  params,
  replies: { 200: EarningsImport },
} as const satisfies Call;

/** Says what the file does not say, and reads it again. 409: it was stored or refused. */
export const answerEarningsImport = {
  method: "PATCH",
  path: "/api/earnings/imports/:id",
  access: "earnings:write",
  limit: "importEarnings",
  params,
  body: z.strictObject(answers).check(z.refine((change) => Object.keys(change).length > 0)),
  replies: { 202: EarningsImport },
} as const satisfies Call;

/**
 * Stores the figures. They replace those of the same store, account and report on the same days. Idempotent. 409: it is not
 * ready.
 */
export const storeEarningsImport = {
  method: "POST",
  path: "/api/earnings/imports/:id/store",
  access: "earnings:write",
  params,
  replies: { 200: EarningsImport },
} as const satisfies Call;

/** Removes an import with its figures. Those that it replaced count again. */
export const deleteEarningsImport = {
  method: "DELETE",
  path: "/api/earnings/imports/:id",
  access: "earnings:write",
  params,
  replies: { 200: z.object({ id: z.uuid() }) },
} as const satisfies Call;
