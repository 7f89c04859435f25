import { atMost, type CheckResult, none, observed } from "../check-result.ts";
import { percentileMs } from "../load/latency.ts";
import type { Observation } from "../load/watch.ts";

/** One change of a link under constant visits. */
export interface Round {
  /** When the api confirmed the change, in Unix milliseconds. */
  doneAt: number;
  observations: readonly Observation[];
  isOld(observation: Observation): boolean;
  isNew(observation: Observation): boolean;
}

/** How long after the change a visitor still received the old response, in milliseconds. */
export function staleMs({ doneAt, observations, isOld }: Round): number {
  const last = Math.max(...observations.filter(isOld).map(({ receivedAt }) => receivedAt));
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
    observed("changes and responses", counts(rounds)),
    none(
      "responses that match neither the old nor the new state",
      wrong.map(({ response }) =>
        response === null ? "no response" : `status ${response.status}`,
      ),
    ),
    atMost("latest stale response after the api's response", percentileMs(stale, 1), maxMs, "ms"),
    p99Ms === null
      ? observed("99th percentile of stale responses (ms)", Math.round(p99))
      : atMost("99th percentile of stale responses", p99, p99Ms, "ms"),
    none(
      "changes that never became visible",
      rounds.filter(({ observations, isNew }) => !observations.some(isNew)).map(() => "unseen"),
    ),
  ];
}

function counts(rounds: readonly Round[]): string {
  const responses = rounds.reduce((sum, { observations }) => sum + observations.length, 0);
  return `${rounds.length}, ${responses}`;
}
