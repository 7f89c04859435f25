import { atMost, type CheckResult, none, observed } from "../check-result.ts";
import type { Observation } from "../load/watch.ts";

/** How exactly a replica can know Postgres's time: an answer takes as long. */
const ACCURACY_MS = 1;
/** What lies nearer to the end than this shows whether it was exact. */
const NEAR_MS = 20;

/** What must hold of answers about links that end at one moment, in Unix milliseconds. */
export function checkExpiry(observations: readonly Observation[], endsAt: number): CheckResult[] {
  const open = observations.filter(({ answer }) => answer?.status === 302);
  const gone = observations.filter(({ answer }) => answer?.status === 410);
  const near = observations.filter(
    ({ sentAt, answeredAt }) => sentAt > endsAt - NEAR_MS && answeredAt < endsAt + NEAR_MS,
  );
  const tooLate = Math.max(0, ...open.map(({ sentAt }) => sentAt - endsAt));
  const tooEarly = Math.max(0, ...gone.map(({ answeredAt }) => endsAt - answeredAt));
  return [
    observed(
      "answers 302, answers 410, of these near the end",
      [open, gone, near].map(({ length }) => length).join(", "),
    ),
    none(
      "answers other than 302 and 410",
      observations.flatMap(({ answer }) =>
        answer?.status === 302 || answer?.status === 410 ? [] : String(answer?.status),
      ),
    ),
    none("nothing was seen of", [
      ...(open.length === 0 ? ["the link while it was open"] : []),
      ...(gone.length === 0 ? ["its end"] : []),
    ]),
    atMost("302 asked for after the end, by", tooLate, ACCURACY_MS, "ms"),
    atMost("410 given before the end, by", tooEarly, ACCURACY_MS, "ms"),
  ];
}
