import { fileURLToPath } from "node:url";
import { resultOf, startChild } from "./child.ts";

const SCANNER = fileURLToPath(new URL("./scanner.ts", import.meta.url));

export interface ScanPlan {
  origin: string;
  /** Codes to be asked for. */
  count: number;
  /** Null: as quickly as they are answered. */
  perSecond: number | null;
  /** Asks no more after that. */
  withinMs: number;
}

export interface Scan {
  /** How often each status came, or "no answer". */
  statuses: Record<string, number>;
  seconds: number;
}

/** Asks for random codes from a process of its own. */
export function scan(plan: ScanPlan, signal: AbortSignal): Promise<Scan> {
  return resultOf<Scan>(startChild(SCANNER, plan, signal, { givesWay: true }));
}
