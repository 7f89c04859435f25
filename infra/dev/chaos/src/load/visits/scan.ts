import { fileURLToPath } from "node:url";
import { resultOf, startChild } from "../child.ts";

const SCANNER = fileURLToPath(new URL("./scanner.ts", import.meta.url));

export interface ScanPlan {
  origin: string;
  /** Codes to request. */
  count: number;
  /** Null for full speed. */
  perSecond: number | null;
  /** Sends no request after that. */
  timeoutMs: number;
}

export interface Scan {
  /** Counts by status, or by "no response". */
  statuses: Record<string, number>;
  seconds: number;
}

/** Requests random codes from a separate process. */
export function scan(plan: ScanPlan, signal: AbortSignal): Promise<Scan> {
  return resultOf<Scan>(startChild(SCANNER, plan, signal, { isLowPriority: true }));
}
