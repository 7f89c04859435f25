import { type CheckResult, none, observed } from "../check-result.ts";
import type { ClickCounts } from "../evidence/click-counts.ts";
import type { Exchange } from "../load/exchange.ts";
import type { Visit } from "../load/visits/visits.ts";

interface ClickEvidence {
  /** All by people. */
  visits: readonly Visit[];
  exchanges: readonly Pick<Exchange, "index" | "response">[];
  /** What was counted before the first and after the last visit. */
  before: ClickCounts;
  after: ClickCounts;
}

/** Compares the clicks of each link with its visits: each that was served counts once. */
export function checkClicks({ visits, exchanges, before, after }: ClickEvidence): CheckResult[] {
  const byVisit = Map.groupBy(exchanges, ({ index }) => index);
  const figures = visits.map(({ shortCode }, index) => {
    const ofVisit = byVisit.get(index) ?? [];
    const served = ofVisit.filter(({ response }) => response?.status === 302).length;
    // May or may not have been served.
    const withoutResponse = ofVisit.filter(({ response }) => response === null).length;
    const counted = (after.get(shortCode)?.person ?? 0) - (before.get(shortCode)?.person ?? 0);
    return { shortCode, served, withoutResponse, counted };
  });
  const sum = (key: "served" | "counted") => figures.reduce((total, one) => total + one[key], 0);
  const show = (one: (typeof figures)[number]) =>
    `${one.shortCode}: ${one.counted} of ${one.served}`;
  const lost = figures.filter(({ served, counted }) => counted < served);
  const tooMany = figures.filter((one) => one.counted > one.served + one.withoutResponse);
  return [
    observed("visits served in the region, clicks counted", `${sum("served")}, ${sum("counted")}`),
    none("links that lost clicks", lost.map(show)),
    none("links with more clicks than visits", tooMany.map(show)),
  ];
}
