import { fileURLToPath } from "node:url";
import { collectMessages, startChild } from "../child.ts";

const CLICKER = fileURLToPath(new URL("./clicker.ts", import.meta.url));

export interface ClickLoadPlan {
  /** One for each replica of redirect; visits alternate between them. */
  origins: readonly string[];
  /** Links for each second of the load, after each other. */
  codesBySecond: readonly (readonly string[])[];
  perSecond: number;
  /** Served visits after which the load ends. */
  visits: number;
  seed: number;
}

/** `refused`: with an error status or because the replica does not run. */
export type ClickOutcome = "served" | "refused" | "no response";

export interface ClickVisit {
  /** When the outcome was known, in Unix milliseconds. */
  at: number;
  /** Index of its origin. */
  replica: number;
  code: string;
  /** Index in VISIT_KINDS. */
  kind: number;
  outcome: ClickOutcome;
}

/** Visits links from a separate process, in an open model, until enough are served. */
export async function runClickLoad(
  plan: ClickLoadPlan,
  signal: AbortSignal,
): Promise<ClickVisit[]> {
  const batches = await collectMessages<ClickVisit[]>(startChild(CLICKER, plan, signal));
  return batches.flat();
}
