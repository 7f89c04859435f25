import type { DateOrder } from "@tapthru/proto/rules/earnings";
import { commonCurrencies } from "../jobs/read-earnings/currencies.ts";
import { settleDates } from "../jobs/read-earnings/period.ts";
import { type FileReading, readFile } from "../jobs/read-earnings/read-file.ts";
import type { Refusal } from "../jobs/read-earnings/refusal.ts";
import { type SettledReport, type StoredRow, settleReport } from "../jobs/read-earnings/settle-file.ts";

interface ReadOptions {
  maxRows?: number;
  fileName?: string;
  dateOrder?: DateOrder | null;
  /** By default the one that the file names, or the euro. */
  currency?: string;
}

type Settled =
  | { reports: readonly SettledReport[]; ignoredFiles: readonly string[] }
  | { refusal: Refusal }
  | "date-order";

/** Has chunks of a few bytes. */
export function fileOfBytes(content: string | Uint8Array): Blob {
  const bytes = Buffer.from(content);
  const count = Math.ceil(bytes.length / 97);
  return new Blob(Array.from({ length: count }, (_, n) => bytes.subarray(n * 97, (n + 1) * 97)));
}

/** Reads a file as the job does, of a store with the currency. */
export async function readBytes(content: string | Uint8Array, { currency, ...options }: ReadOptions = {}) {
  const rows: StoredRow[] = [];
  const results: Settled[] = [];
  let reports: readonly SettledReport[] = [];
  await readFile(
    fileOfBytes(content),
    { fileName: "report.csv", dateOrder: null, lastDay: "2026-11-27", ...options },
    {
      async begin(reading) {
        const result = settle(reading, currency);
        results.push(result);
        reports = typeof result === "object" && "reports" in result ? result.reports : [];
        return [...reports.keys()];
      },
      async insert(id, added) {
        rows.push(...added.flatMap((row) => reports[id]?.storedRow(row) ?? []));
      },
    },
  );
  return { result: results[0], rows };
}

function settle(reading: FileReading | Refusal, known?: string): Settled {
  if ("reason" in reading) return { refusal: reading };
  const { reports, ignoredFiles } = reading;
  const [named = "EUR"] = commonCurrencies(reports.map((report) => report.currencies)) ?? [];
  const dated = settleDates(reports);
  if (dated === null) return "date-order";
  const ofStore = { currency: known ?? named, has: () => true };
  return { reports: dated.map(([report, dating]) => settleReport(report, dating, ofStore)), ignoredFiles };
}

/** @throws if the file has not one report */
export async function readOneReport(content: string | Uint8Array, options?: ReadOptions) {
  const { result, rows } = await readBytes(content, options);
  if (result === undefined || result === "date-order" || "refusal" in result) throw new Error(JSON.stringify(result));
  const [report, ...others] = result.reports;
  if (report === undefined || others.length > 0) throw new Error("Not one report");
  return { ...report, rows };
}
