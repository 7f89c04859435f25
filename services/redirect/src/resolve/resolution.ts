import type { Lookup } from "../link.ts";

/** What a code leads to, and who knew it; `none` where nobody was asked or answered. */
export interface Resolution {
  source: "l1" | "redis" | "postgres" | "none";
  lookup: Lookup;
}
