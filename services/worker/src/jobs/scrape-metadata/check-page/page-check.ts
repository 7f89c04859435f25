import type { PageState } from "@tapthru/proto/rules/link-health";
import type { ReadResult } from "../source.ts";

const HOUR_MS = 60 * 60 * 1_000;
const DAY_MS = 24 * HOUR_MS;

/** A second check that agrees counts only after this time: stores respond wrongly for minutes. */
const AGREEMENT_MIN_MS = 6 * HOUR_MS;
/** A state that no check found again for so long is unknown. */
const STATE_LIFETIME_MS = 14 * DAY_MS;

/** The next check of a page: longer than the time after which a second check counts. */
const SUSPECTED_MS = 7 * HOUR_MS;
const ACTIVE_MS = DAY_MS;
const QUIET_MS = 7 * DAY_MS;

/** The findings of a page's checks so far. Times are in milliseconds since the epoch. */
export interface PageCheck {
  state: PageState;
  checkedAt: number | null;
  /** What the last check with a result found for the first time; null: what the state says. */
  suspectedState: PageState | null;
  suspectedAt: number | null;
}

/** The state that a read found. Only responses that a store gives about the product itself count. */
export function stateOfRead(result: ReadResult): PageState {
  if (result.kind === "read") return result.state ?? "ok";
  if (result.outcome === "gone") return "product-gone";
  if (result.outcome === "leads-elsewhere") return "redirected-elsewhere";
  return "unknown";
}

export function nextPageCheck(check: PageCheck, found: PageState, now: number): PageCheck {
  if (found === "unknown") {
    const isOld = check.checkedAt === null || now - check.checkedAt > STATE_LIFETIME_MS;
    return isOld ? { ...check, state: "unknown" } : check;
  }
  const isRepeated = found === check.suspectedState;
  const isAgreed = isRepeated && now - (check.suspectedAt ?? now) >= AGREEMENT_MIN_MS;
  if (found === "ok" || found === check.state || isAgreed) {
    return { state: found, checkedAt: now, suspectedState: null, suspectedAt: null };
  }
  return { ...check, checkedAt: now, ...(!isRepeated && { suspectedState: found, suspectedAt: now }) };
}

/**
 * The longest time until the next check of a page, in milliseconds.
 * @param random from 0 to 1, so that pages that were checked together are not checked together again
 */
export function checkDelay(
  { isSuspected, isActive }: { isSuspected: boolean; isActive: boolean },
  random: number,
): number {
  const delay = isSuspected ? SUSPECTED_MS : isActive ? ACTIVE_MS : QUIET_MS;
  return Math.round(delay * (1 + random / 5));
}
