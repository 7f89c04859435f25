import { type CheckResult, none, observed } from "../check-result.ts";
import { readPassedOn } from "../evidence/access-log.ts";
import type { Trial } from "../fault-case.ts";
import { createRequest, makeCreates, productPages, readCreates } from "./creates.ts";
import { startLoad } from "./load.ts";
import { visitWhile } from "./visiting.ts";
import { type Visit, visitFailures } from "./visits.ts";

const VISITS_PER_SECOND = 480;
const CREATES_PER_SECOND = 20;
const LONGEST_S = 240;

interface Done {
  /** A word for what is done meanwhile. */
  how: string;
  /** Whether creates may be refused or lost. */
  mayRefuse?: boolean;
}

/** Visits the links 480 times a second and makes 20 a second, all through nginx, while something is done. */
export async function underLoad(
  trial: Trial,
  visits: readonly Visit[],
  { how, mayRefuse = false }: Done,
  work: (trial: Trial) => Promise<CheckResult[]>,
): Promise<CheckResult[]> {
  const { testbed, signal, say } = trial;
  const { url: origin, places } = testbed;
  say(`making and visiting links under ${how}`);
  const creates = makeCreates(CREATES_PER_SECOND * LONGEST_S, productPages(20));
  const requests = creates.map(createRequest);
  const before = await readPassedOn(places.first.logsDir, "POST");
  const creating = startLoad(
    { origin, perSecond: CREATES_PER_SECOND, requests, repeats: false },
    signal,
  );
  const visiting = { visits, perSecond: VISITS_PER_SECOND };
  const [visited, findings] = await visitWhile(trial, visiting, () => work(trial));
  creating.stop();
  const created = readCreates(creates, await creating.done);
  const passedOn = await readPassedOn(places.first.logsDir, "POST");
  const refused = [
    ...created.refused.map((status) => `status ${status}`),
    ...Array.from({ length: created.unanswered }, () => "no answer"),
  ];
  return [
    observed(
      `${how}: visits and creates`,
      `${visited.length}, ${created.made.size + refused.length}`,
    ),
    none(`${how}: visits failed`, visitFailures(visits, visited)),
    none(`${how}: creates with a wrong answer`, created.wrong),
    mayRefuse
      ? observed(`${how}: creates refused or not answered`, refused.length)
      : none(`${how}: creates failed`, refused),
    observed(`${how}: creates that a replica refused to take`, passedOn.all - before.all),
    none(`${how}: creates repeated by nginx`, passedOn.repeated.slice(before.repeated.length)),
    ...findings,
  ];
}
