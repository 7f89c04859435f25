import type { Lookup } from "../link.ts";

/** The result for a code, and where it came from; `none` if nothing was queried or responded. */
export interface Resolution {
  source: "l1" | "redis" | "postgres" | "none";
  lookup: Lookup;
}
