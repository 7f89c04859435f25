import type { Link, Lookup } from "../../link.ts";

/** The result for a code, and where it came from; `none` if no store was queried, or none responded. */
export interface Resolution {
  source: "l1" | "redis" | "postgres" | "none";
  lookup: Lookup;
}

/**
 * A cached link. It implements Resolution itself, so that a hit allocates no object. Times are values of
 * performance.now().
 */
export interface CachedLink extends Resolution {
  source: "l1";
  lookup: Link;
  refreshAt: number;
  usableUntil: number;
}
