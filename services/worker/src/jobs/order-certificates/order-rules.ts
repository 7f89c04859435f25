import type { DomainProblem } from "@tapthru/proto/rules/domains";
import type { RenewalWindow } from "./acme/authority.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Let's Encrypt allows 300 orders of an account in three hours, and 50 certificates of a registered domain in a week. */
export const ORDER_LIMITS = {
  ofAccount: { count: 250, periodMs: 3 * HOUR_MS },
  ofRegisteredDomain: { count: 45, periodMs: 7 * DAY_MS },
} as const;

const ENDING_MS = 7 * DAY_MS;

const OUTAGE_MAX_MS = 10 * MINUTE_MS;
export const LIMITED_MS = 10 * MINUTE_MS;
const FIRST_REFUSAL_MS = 5 * MINUTE_MS;
/** The authority allows five failed validations of a host in an hour. */
const NEW_MAX_MS = HOUR_MS;
const RENEWAL_MAX_MS = 12 * HOUR_MS;

/** @param failedOrders in a row, from 1 @param isRenewal whether it has a certificate */
export function orderDelay(problem: DomainProblem, failedOrders: number, isRenewal: boolean): number {
  const doublings = Math.min(failedOrders - 1, 20);
  if (problem === "authority-unavailable") return Math.min(OUTAGE_MAX_MS, MINUTE_MS * 2 ** doublings);
  const max = isRenewal ? RENEWAL_MAX_MS : NEW_MAX_MS;
  return Math.min(max, FIRST_REFUSAL_MS * 4 ** doublings);
}

/** The life of a certificate, in Unix milliseconds. */
interface Life {
  startMs: number;
  endMs: number;
}

export function renewalTime({ startMs, endMs }: Life): number {
  return startMs + ((endMs - startMs) * 2) / 3;
}

/** Returns true if the owner must be told that a certificate is not renewed: seven days or a sixth of its life are left. */
export function isEnding({ startMs, endMs }: Life, now: number): boolean {
  return endMs - now < Math.min(ENDING_MS, (endMs - startMs) / 6);
}

/**
 * A time in the window that the authority suggests, or now if it began and ended.
 * @param random 0 to 1, so that certificates of one authority are not all renewed at once
 */
export function suggestedTime({ startMs, endMs }: RenewalWindow, now: number, random: number): number {
  return Math.max(now, startMs + (endMs - startMs) * random);
}
