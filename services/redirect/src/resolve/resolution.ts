import type { Lookup } from "../link.ts";

/** The result for a code, and where it came from; `none` if no store was queried, or none responded. */
export interface Resolution {
  source: "l1" | "redis" | "postgres" | "none";
  lookup: Lookup;
}
