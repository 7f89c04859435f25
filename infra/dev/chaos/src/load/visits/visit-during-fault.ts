import type { CheckResult } from "../../check-result.ts";
import { checkReplicaFigures, readReplicaFigures } from "../../evidence/replica-figures.ts";
import type { Trial } from "../../fault-case.ts";
import { checkVisits } from "./check-visits.ts";
import { visitFor, visitWhile } from "./visit-load.ts";
import { insertWarmLinks } from "./warm-links.ts";

interface VisitPlan {
  /** Number of links. They are inserted first, and loaded into the memory of both replicas. */
  links: number;
  perSecond: number;
  baselineS: number;
  /** Limit for the 99th percentile, relative to the baseline; null when it is only reported. */
  maxRatio: number | null;
  /** How often a dependency becomes unavailable or available. */
  transitions: number;
}

/** Visits links in memory at a constant rate, first for a baseline, then while `injectFault` runs. */
export async function visitDuringFault(
  trial: Trial,
  { links, perSecond, baselineS, maxRatio, transitions }: VisitPlan,
  injectFault: () => Promise<CheckResult[]>,
): Promise<CheckResult[]> {
  const { testbed, log } = trial;
  const visits = await insertWarmLinks(trial, links);
  const baseline = await readReplicaFigures(testbed);
  const before = await visitFor(trial, { visits, perSecond }, baselineS);
  const beforeFault = await readReplicaFigures(testbed);
  log("visiting them during the fault");
  const [during, results] = await visitWhile(trial, { visits, perSecond }, injectFault);
  const afterFault = await readReplicaFigures(testbed);
  return [
    ...checkVisits({ visits, before, during, maxRatio }),
    ...results,
    ...checkReplicaFigures({ baseline, beforeFault, afterFault, transitions }),
  ];
}
