import { atMost, type CheckResult, none, observed } from "../check-result.ts";
import { percentileMs } from "../load/latency.ts";
import type { Observation } from "../load/watch.ts";

/** One change of a link that many look at. */
export interface Round {
  /** When the api had said that it is done, in Unix milliseconds. */
  doneAt: number;
  observations: readonly Observation[];
  isOld(observation: Observation): boolean;
  isNew(observation: Observation): boolean;
}

/** How long after the change somebody was still given the old answer, in milliseconds. */
export function staleMs({ doneAt, observations, isOld }: Round): number {
  const last = Math.max(...observations.filter(isOld).map(({ answeredAt }) => answeredAt));
  return Math.max(0, last - doneAt);
}

interface Limits {
  maxMs: number;
  p99Ms: number | null;
}

export function checkRounds(rounds: readonly Round[], { maxMs, p99Ms }: Limits): CheckResult[] {
  const stale = rounds.map((round) => ({ tookMs: staleMs(round) }));
  const wrong = rounds.flatMap((round) =>
    round.observations.filter((one) => !round.isOld(one) && !round.isNew(one)),
  );
  const p99 = percentileMs(stale, 0.99);
  return [
    observed("changes, and answers meanwhile", counts(rounds)),
    none(
      "answers that are neither what was nor what is",
      wrong.map(({ answer }) => (answer === null ? "no answer" : `status ${answer.status}`)),
    ),
    atMost("last old answer after the api's, at most", percentileMs(stale, 1), maxMs, "ms"),
    p99Ms === null
      ? observed("99th percentile of these (ms)", Math.round(p99))
      : atMost("99th percentile of these", p99, p99Ms, "ms"),
    none(
      "changes that nobody came to see",
      rounds.filter(({ observations, isNew }) => !observations.some(isNew)).map(() => "unseen"),
    ),
  ];
}

function counts(rounds: readonly Round[]): string {
  const answers = rounds.reduce((sum, { observations }) => sum + observations.length, 0);
  return `${rounds.length}, ${answers}`;
}
