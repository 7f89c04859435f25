import { fileURLToPath } from "node:url";
import { collectMessages, startChild } from "../child.ts";

const SOAKER = fileURLToPath(new URL("./soaker.ts", import.meta.url));

/** The sessions and links of a user, for calls of the api. */
export interface SoakOwner {
  /** The origin that browsers send. */
  publicOrigin: string;
  cookie: string;
  authorization: string;
  firebaseUid: string;
  /** Codes of their links. */
  codes: readonly string[];
}

/** The message to the process that sends the load. */
export interface SoakPlan {
  origin: string;
  perSecond: number;
  /** Number of operations. */
  total: number;
  windowSeconds: number;
  seed: number;
  /** Links of `insertLinks`, the most popular first: the visits follow Zipf's law. */
  codes: readonly string[];
  /** How many of the most popular links every replica has in memory. */
  warmLinks: number;
  /** Null: visits only. */
  owner: SoakOwner | null;
}

/** `warm`: visits of links that replicas have in memory; `cold`: of other links; `unknown`: of codes without a link. */
export const OPERATION_GROUPS = ["warm", "cold", "unknown", "api"] as const;
export type OperationGroup = (typeof OPERATION_GROUPS)[number];

/** The operations of a group that ended within a window. */
export interface GroupFigures {
  operations: number;
  /** With a wrong response or none. */
  failed: number;
  /** Correct, but only after more than a second. */
  late: number;
  p50Ms: number;
  p99Ms: number;
}

export interface SoakWindow {
  /** End of the window in seconds since the start of the load. */
  endS: number;
  /** Pauses of the load generator since the start of the load: see `Pace`. */
  pausedMs: number;
  groups: Partial<Record<OperationGroup, GroupFigures>>;
  /** Some of its failures. */
  failures: string[];
}

/** Sends operations from a separate process, in an open model. Returns their figures by window of time. */
export function runSoak(plan: SoakPlan, signal: AbortSignal): Promise<SoakWindow[]> {
  return collectMessages<SoakWindow>(startChild(SOAKER, plan, signal));
}

/** How long the load generator paused. */
export function pausedSeconds(windows: readonly SoakWindow[]): number {
  return (windows.at(-1)?.pausedMs ?? 0) / 1_000;
}

/** The sum of a figure over all windows. */
export function sumOf(
  windows: readonly SoakWindow[],
  group: OperationGroup,
  figure: "operations" | "failed" | "late",
): number {
  return windows.reduce((sum, { groups }) => sum + (groups[group]?.[figure] ?? 0), 0);
}
