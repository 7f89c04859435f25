import type * as earningsImportsCalls from "../http/earnings-imports.ts";
import type { EarningsImport } from "../http/earnings-imports.ts";
import type { DocumentationOf } from "./call-documentation.ts";

const ID = "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed";

const READING: EarningsImport = {
  id: ID,
  fileName: "reports.zip",
  state: "reading",
  marketplace: null,
  storeId: "",
  question: null,
  refusal: null,
  createdAt: "2026-11-20T18:05:12.345Z",
  storedAt: null,
  reports: [],
  ignoredFiles: [],
};
const READY: EarningsImport = {
  ...READING,
  state: "ready",
  marketplace: "de",
  reports: [
    {
      fileName: "Fee-Earnings.csv",
      kind: "earnings",
      firstDay: "2026-10-01",
      lastDay: "2026-10-31",
      currency: "EUR",
      rowCount: 120,
      earnings: 18_452,
      revenue: 412_760,
      ordered: null,
      shipped: 131,
      returned: 6,
      clicks: null,
      unmatchedRowCount: 4,
      replacedDayCount: 0,
      countedDayCount: 0,
      otherAccountDayCount: 0,
    },
  ],
  ignoredFiles: ["Fee-LinkType.csv"],
};
const STORED: EarningsImport = {
  ...READY,
  state: "stored",
  storedAt: "2026-11-20T18:06:00.000Z",
};
const FILE =
  'Fee-Earnings reports from 10-01-2026 to 10-31-2026\r\nCategory,Name,ASIN,Seller,Tracking ID,Date Shipped,Price($),Items Shipped,Returns,Revenue($),Ad Fees($),Device Type Group,Direct\r\nKitchen,"Mug, large",B08N5WRWNW,Amazon.com,me-20,2026-10-03,12.99,1,0,12.99,0.52,Phone,Direct\r\n';

const params = { id: ID };

export const earningsImportsDocumentation: DocumentationOf<typeof earningsImportsCalls> = {
  createEarningsImport: {
    tag: "Earnings",
    summary: "Send a file of Amazon's reports",
    description:
      "The file that Amazon Associates offers for download: a ZIP, CSV or tab-separated text with the reports Fee-Earnings, Fee-Orders, Fee-Tracking, Fee-DailyTrends or Bounty; 50 MB and 1,000,000 rows at most. It is read in the background: get the import until its state is no longer `reading`. Nothing counts before it is stored. It replaces an earlier file of the user that was not stored. `marketplace`, `storeId` and `dateOrder` say what the file may not say.",
    errors: [
      "earnings-file-too-large",
      "file-expected",
      "too-many-earnings-imports",
      "upload-too-slow",
    ],
    fileExample: FILE,
    example: { query: { name: "reports.zip" }, replies: { 202: READING } },
  },
  listEarningsImports: {
    tag: "Earnings",
    summary: "List imports of reports",
    description:
      "The user's imports, newest first, 100 at most; `after` is the id of the last one of the page before. One that is not stored is deleted after a day; stored ones stay until they are deleted.",
    errors: [],
    example: { query: { after: ID }, replies: { 200: [STORED] } },
  },
  getEarningsImport: {
    tag: "Earnings",
    summary: "Get an import of reports",
    description:
      "What the file has. `question` says what is missing, `refusal` why nothing of the file is read: the first reason, with file, line and what is there.",
    errors: ["import-not-found"],
    example: { params, replies: { 200: READY } },
  },
  answerEarningsImport: {
    tag: "Earnings",
    summary: "Say what a file of reports does not say",
    description:
      "The store, the Associates account, or whether the dates begin with the day or the month. The file is read again.",
    errors: ["earnings-not-ready", "earnings-stored", "import-not-found"],
    example: { params, body: { marketplace: "de" }, replies: { 202: READING } },
  },
  storeEarningsImport: {
    tag: "Earnings",
    summary: "Store an import of reports",
    description:
      "From now on its figures count, in place of those of the same store, account and report on the same days. An import that is stored is returned as it is.",
    errors: ["earnings-not-ready", "import-not-found"],
    example: { params, replies: { 200: STORED } },
  },
  deleteEarningsImport: {
    tag: "Earnings",
    summary: "Delete an import of reports",
    description: "Deletes the import and its figures. The figures that it replaced count again.",
    errors: ["import-not-found"],
    example: { params, replies: { 200: { id: ID } } },
  },
};
