import type { DateOrder } from "@tapthru/proto/rules/earnings";
import type { FileSource } from "../jobs/read-earnings/archive.ts";
import { readFile } from "../jobs/read-earnings/read-file.ts";
import type { ReportRow } from "../jobs/read-earnings/report-reader.ts";

interface ReadOptions {
  maxRows?: number;
  fileName?: string;
  dateOrder?: DateOrder | null;
  currency?: string | null;
}

/** Chunks of a few bytes. */
export const sourceOf = (bytes: Uint8Array): FileSource => ({
  size: bytes.length,
  async *read(from, to) {
    for (let at = from; at < to; at += 97) yield bytes.subarray(at, Math.min(to, at + 97));
  },
});

export async function readBytes(content: string | Uint8Array, options: ReadOptions = {}) {
  let rows: ReportRow[] = [];
  const result = await readFile(
    sourceOf(Buffer.from(content)),
    { fileName: "report.csv", dateOrder: null, currency: null, lastDay: "2026-11-27", ...options },
    {
      async restart() {
        rows = [];
      },
      begin: async () => 0,
      async insert(_id, added) {
        rows.push(...structuredClone(added));
      },
    },
  );
  return { result, rows };
}

/** @throws if the file has not one report */
export async function readOneReport(content: string | Uint8Array, options?: ReadOptions) {
  const { result, rows } = await readBytes(content, options);
  if (result === "date-order" || "refusal" in result) throw new Error(JSON.stringify(result));
  const [report, ...others] = result.reports;
  if (report === undefined || others.length > 0) throw new Error("Not one report");
  return { ...report, period: report.dates.period, rows };
}
