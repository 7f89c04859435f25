import { type CheckResult, none, observed } from "../check-result.ts";
import { probe } from "../evidence/probes.ts";
import { sampleWhile } from "../evidence/sampling.ts";
import type { FaultCase, Trial } from "../fault-case.ts";
import { makeCreates, productPages } from "../load/creates.ts";
import type { Exchange } from "../load/exchange.ts";
import { percentileMs } from "../load/latency.ts";
import { makeLinks } from "../load/make-links.ts";
import { apiDoors, redirectDoors } from "../testbed/places.ts";
import { checkOverload, goodput } from "./r22-checks.ts";

const STEP_S = 5;
const STEP = 1.4;
const FIRST_RATE = 60;
/** A rate of which less than this becomes links is more than the maximum. */
const KEPT_UP = 0.95;
const OVERLOAD_S = 60;
const CALM_S = 20;

export const overload: FaultCase = {
  id: "R22",
  title: "Overload",
  mustHold:
    "goodput ≥ 80 % of maximum, excess refused in ≤ 100 ms, p99 normal ≤ 5 s after; readiness does not flap",
  done: "More and more links are made through nginx, until the api no longer keeps up: the most that it made is its maximum. Half of that for 20 s, three times that for 60 s, half again for 20 s. /readyz of all replicas is asked all the while. (Redirects cannot be overloaded from one core.)",
  withinMs: 8 * 60_000,
  async run(trial) {
    const { say } = trial;
    const maximum = await findMaximum(trial);
    say(`${Math.round(maximum)} links a second are its maximum`);
    const before = await make(trial, maximum / 2, CALM_S);
    say("making three times as many");
    const [ready, [during, after]] = await sampleWhile(
      () => notReady(trial),
      async () =>
        [
          await make(trial, 3 * maximum, OVERLOAD_S),
          await make(trial, maximum / 2, CALM_S),
        ] as const,
    );
    return [
      observed("links a second at most", Math.round(maximum)),
      observed("99th percentile at half of that (ms)", Math.round(percentileMs(before, 0.99))),
      ...checkOverload({ maximum, seconds: OVERLOAD_S, before, during, after }),
      ...judgeReadiness(ready),
    ];
  },
};

async function findMaximum(trial: Trial): Promise<number> {
  let most = 0;
  for (let rate = FIRST_RATE; ; rate *= STEP) {
    const made = goodput(await make(trial, rate, STEP_S), STEP_S);
    most = Math.max(most, made);
    if (made < KEPT_UP * rate) return most;
  }
}

function make(trial: Trial, perSecond: number, seconds: number): Promise<Exchange[]> {
  const creates = makeCreates(Math.round(perSecond * seconds), productPages(20));
  return makeLinks(trial, creates, perSecond);
}

/** What replicas answered when they did not say that they are ready. */
async function notReady({ testbed }: Trial): Promise<string[]> {
  const doors = { redirect: redirectDoors(testbed.places), api: apiDoors(testbed.places) };
  const answers = Object.entries(doors).flatMap(([service, both]) =>
    both.map(async ({ adminPort }, index) => {
      const status = await probe(adminPort, "readyz");
      return status === 200 ? [] : [`${service}-${index + 1}: ${status ?? "no answer"}`];
    }),
  );
  return (await Promise.all(answers)).flat();
}

function judgeReadiness(samples: readonly string[][]): CheckResult[] {
  return [
    observed("times all were asked whether they are ready", samples.length),
    none("answers other than ready within a second", samples.flat()),
  ];
}
