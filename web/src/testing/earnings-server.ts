import type { EarningsTable, LinkEarnings } from "@tapthru/proto/earnings";
import type { EarningsImport, EarningsReport } from "@tapthru/proto/earnings-imports";
import { HttpResponse, http } from "msw";
import { figuresOf } from "./earnings-figures.ts";

export const earningsTable = (changes: Partial<EarningsTable> = {}): EarningsTable => ({
  from: "2026-10-28",
  to: "2026-11-26",
  currency: null,
  reportedUntil: null,
  totals: figuresOf(),
  matches: [],
  rows: [],
  omittedRowCount: 0,
  ...changes,
});

export const linkEarnings = (changes: Partial<LinkEarnings> = {}): LinkEarnings => ({
  from: "2026-10-28",
  to: "2026-11-26",
  reportedUntil: null,
  ...figuresOf(changes),
  shared: [],
  days: [],
  ...changes,
});

export const earningsReport = (changes: Partial<EarningsReport> = {}): EarningsReport => ({
  fileName: "Fee-Earnings.csv",
  kind: "earnings",
  firstDay: "2026-10-01",
  lastDay: "2026-10-31",
  currency: "EUR",
  rowCount: 340,
  earnings: 12_345,
  revenue: 400_000,
  ordered: null,
  shipped: 120,
  returned: 4,
  clicks: null,
  unmatchedRowCount: 0,
  replacedDayCount: 0,
  countedDayCount: 0,
  otherAccountDayCount: 0,
  ...changes,
});

export const earningsImport = (changes: Partial<EarningsImport> = {}): EarningsImport => ({
  id: "5f0c2c1e-8d4b-4a67-9f0e-2f6c1b7a9d31",
  fileName: "october.zip",
  state: "ready",
  marketplace: "de",
  storeId: "",
  question: null,
  refusal: null,
  createdAt: "2026-11-20T18:05:12.345Z",
  storedAt: null,
  reports: [],
  ignoredFiles: [],
  ...changes,
});

export const noEarningsHandlers = [
  http.get("/api/earnings", () => HttpResponse.json(earningsTable())),
  http.get("/api/earnings/imports", () => HttpResponse.json([])),
  http.get("/api/earnings/connections", () => HttpResponse.json([])),
];
