import { atLeast, type CheckResult, none, observed } from "../check-result.ts";
import { readRetriedRequests } from "../evidence/access-log.ts";
import type { Trial } from "../fault-case.ts";
import { createRequest, newLinksToCreate, productPages, readCreateOutcomes } from "./creates.ts";
import { startLoad } from "./load.ts";
import { visitWhile } from "./visits/visit-load.ts";
import { type Visit, visitFailures } from "./visits/visits.ts";

const VISITS_PER_SECOND = 480;
const CREATES_PER_SECOND = 20;
const MAX_DURATION_S = 240;

interface LoadOptions {
  /** Label of the work done under load. */
  label: string;
  /** Whether creates may be refused or get no response. */
  mayRefuse?: boolean;
}

/** Sends 480 visits and 20 creates per second through nginx while `work` runs. */
export async function underLoad(
  trial: Trial,
  visits: readonly Visit[],
  { label, mayRefuse = false }: LoadOptions,
  work: (trial: Trial) => Promise<CheckResult[]>,
): Promise<CheckResult[]> {
  const { testbed, signal, log } = trial;
  const { url: origin, config } = testbed;
  log(`creating and visiting links: ${label}`);
  const creates = newLinksToCreate(CREATES_PER_SECOND * MAX_DURATION_S, productPages(20));
  const requests = creates.map(createRequest);
  const retriedBefore = await readRetriedRequests(config.first.logsDir, "POST");
  const createLoad = startLoad(
    { origin, perSecond: CREATES_PER_SECOND, requests, total: requests.length },
    signal,
  );
  const visitLoad = { visits, perSecond: VISITS_PER_SECOND };
  const [visited, results] = await visitWhile(trial, visitLoad, () => work(trial));
  createLoad.stop();
  const outcomes = readCreateOutcomes(creates, await createLoad.done);
  const retriedAfter = await readRetriedRequests(config.first.logsDir, "POST");
  const refused = [
    ...outcomes.refused.map((status) => `status ${status}`),
    ...Array.from({ length: outcomes.withoutResponse }, () => "no response"),
  ];
  return [
    atLeast(`${label}: visits`, visited.length, visits.length),
    // The number of creates in one second.
    atLeast(`${label}: links created`, outcomes.created.size, CREATES_PER_SECOND),
    none(`${label}: failed visits`, visitFailures(visits, visited)),
    none(`${label}: creates with a wrong response`, outcomes.wrong),
    mayRefuse
      ? observed(`${label}: creates refused or without a response`, refused.length)
      : none(`${label}: failed creates`, refused),
    observed(
      `${label}: creates that nginx sent to a second replica`,
      retriedAfter.all - retriedBefore.all,
    ),
    none(
      `${label}: creates that two replicas may have received`,
      retriedAfter.repeated.slice(retriedBefore.repeated.length),
    ),
    ...results,
  ];
}
