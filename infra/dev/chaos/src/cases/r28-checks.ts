import { atLeast, atMost, type CheckResult, observed } from "../check-result.ts";
import type { PhoneVisit } from "../load/phones/phone-load.ts";

interface BrokenScheme {
  /** Of the phones whose scheme broke. */
  visits: readonly Pick<PhoneVisit, "at" | "strategy" | "isOpened">[];
  /** The row of the strategy table for these phones. */
  row: string;
  /** Unix milliseconds. */
  times: { brokenAt: number; canaryAt: number; changedAt: number };
  /** Until both replicas used each changed table. */
  loadedAfterS: readonly number[];
  firingAfterS: number;
  resolvedAfterS: number;
  /** Reports that the replicas counted for the row. */
  counted: number;
  /** Until Postgres had them. */
  storedAfterS: number;
}

/** Nine of ten phones have the app; the canary has about 75 visits. */
const MIN_OPEN_PERCENT = 75;
/** Replicas load a changed table up to this much later. */
const LOADING_MS = 5_000;

export function checkBrokenScheme({
  visits,
  row,
  times: { brokenAt, canaryAt, changedAt },
  loadedAfterS,
  firingAfterS,
  resolvedAfterS,
  counted,
  storedAfterS,
}: BrokenScheme): CheckResult[] {
  const between = (from: number, to: number) => visits.filter(({ at }) => at >= from && at < to);
  const baseline = between(0, brokenAt);
  const broken = between(brokenAt, canaryAt);
  const duringCanary = between(canaryAt + LOADING_MS, changedAt);
  const canary = duringCanary.filter(({ strategy }) => !strategy.endsWith(`/${row}`));
  const changed = between(changedAt + LOADING_MS, Number.POSITIVE_INFINITY);
  const canaryPercent = (100 * canary.length) / duringCanary.length;
  return [
    observed("visits of these phones", visits.length),
    atLeast("open rate before", openPercent(baseline), MIN_OPEN_PERCENT, "%"),
    observed("open rate after the scheme broke", `${openPercent(broken).toFixed(1)} %`),
    atMost("time until the alert fired", firingAfterS, 300, "s"),
    atMost("time until both replicas used a changed table", Math.max(...loadedAfterS), 5, "s"),
    observed("visitors who got the canary", `${canaryPercent.toFixed(1)} %`),
    atLeast("open rate of the canary", openPercent(canary), MIN_OPEN_PERCENT, "%"),
    atLeast("open rate after the row was changed", openPercent(changed), MIN_OPEN_PERCENT, "%"),
    atMost("time until the alert was resolved", resolvedAfterS, 300, "s"),
    observed("reports counted for the row", counted),
    atMost("time until Postgres had exactly these", storedAfterS, 30, "s"),
  ];
}

function openPercent(visits: readonly Pick<PhoneVisit, "isOpened">[]): number {
  return (100 * visits.filter(({ isOpened }) => isOpened).length) / visits.length;
}
