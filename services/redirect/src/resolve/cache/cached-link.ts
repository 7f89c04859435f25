import type { Link } from "../../link.ts";
import type { Resolution } from "../resolution.ts";

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
