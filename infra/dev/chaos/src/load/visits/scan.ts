import { fileURLToPath } from "node:url";
import { collectMessages, startChild } from "../child.ts";

const SCANNER = fileURLToPath(new URL("./scanner.ts", import.meta.url));

export interface ScanPlan {
  origin: string;
  /** Number of codes to request. */
  count: number;
  /** Null for the highest possible rate. */
  perSecond: number | null;
  /** The scan sends no requests after this time. */
  timeoutMs: number;
}

export interface ScanResult {
  /** Counts by status, or by "no response". */
  statuses: Record<string, number>;
  seconds: number;
}

/** Requests random codes from a separate process. */
export async function scan(plan: ScanPlan, signal: AbortSignal): Promise<ScanResult> {
  const scanner = startChild(SCANNER, plan, signal, { isLowPriority: true });
  const [result] = await collectMessages<ScanResult>(scanner);
  if (result === undefined) throw new Error("The scanner sent no result.");
  return result;
}
