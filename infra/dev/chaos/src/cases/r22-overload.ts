import { generate } from "@tapthru/proto/http/generate";
import { type CheckResult, none, observed } from "../check-result.ts";
import { probe } from "../evidence/probes.ts";
import { describeRefusals } from "../evidence/refusal-reasons.ts";
import { sampleWhile } from "../evidence/sampling.ts";
import type { FaultCase, Trial } from "../fault-case.ts";
import { productPages } from "../load/creates.ts";
import type { Exchange } from "../load/exchange.ts";
import { percentileMs } from "../load/latency.ts";
import { runLoad } from "../load/load.ts";
import { adminPort } from "../testbed/testbed-config.ts";
import { checkOverload, goodput } from "./r22-checks.ts";

const STEP_S = 5;
const RATE_FACTOR = 1.4;
const FIRST_RATE = 60;
/** A rate is above the maximum when a smaller share of its creates returns a link, twice: once may be a pause. */
const MIN_CREATED_SHARE = 0.95;
const ATTEMPTS = 2;
const OVERLOAD_S = 60;
const HALF_LOAD_S = 20;
const APIS = ["api-1", "api-2"] as const;
const REPLICAS = ["redirect-1", "redirect-2", ...APIS] as const;

export const overload: FaultCase = {
  id: "R22",
  title: "Overload",
  expected:
    "goodput ≥ 80 % of maximum, excess refused in ≤ 100 ms, p99 normal ≤ 5 s after; readiness does not flap",
  procedure:
    "Creates are sent through nginx at a growing rate until the api no longer keeps up; the highest number of links per second is the maximum. A link counts when its response arrives while the load is sent, not later. Then half the maximum for 20 s, three times the maximum for 60 s, and half again for 20 s. /readyz of all replicas is probed throughout. (Redirects cannot be overloaded from one core.)",
  timeoutMs: 8 * 60_000,
  async run(trial) {
    const { log } = trial;
    const maximum = await findMaximum(trial);
    log(`the maximum is ${Math.round(maximum)} links per second`);
    const before = await createFor(trial, maximum / 2, HALF_LOAD_S);
    log("sending three times the maximum");
    const [unready, [during, after]] = await sampleWhile(
      () => findUnready(trial),
      async () =>
        [
          await createFor(trial, 3 * maximum, OVERLOAD_S),
          await createFor(trial, maximum / 2, HALF_LOAD_S),
        ] as const,
    );
    return [
      observed("maximum links per second", Math.round(maximum)),
      observed("99th percentile at half the maximum (ms)", Math.round(percentileMs(before, 0.99))),
      ...checkOverload({ maximum, seconds: OVERLOAD_S, before, during, after }),
      await describeRefusals(trial.testbed.config.first.logsDir, APIS),
      ...checkReadiness(unready),
    ];
  },
};

async function findMaximum(trial: Trial): Promise<number> {
  let highest = 0;
  for (let rate = FIRST_RATE; ; rate *= RATE_FACTOR) {
    let isServed = false;
    for (let attempt = 0; attempt < ATTEMPTS && !isServed; attempt++) {
      const created = goodput(await createFor(trial, rate, STEP_S), STEP_S);
      highest = Math.max(highest, created);
      isServed = created >= MIN_CREATED_SHARE * rate;
    }
    if (!isServed) return highest;
  }
}

/** Without cookies each create comes from a new visitor and makes a new link. */
const CREATES = productPages(20).map((url) => ({
  method: generate.method,
  path: generate.path,
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ url }),
}));

function createFor(
  { testbed, signal }: Trial,
  perSecond: number,
  seconds: number,
): Promise<Exchange[]> {
  const total = Math.round(perSecond * seconds);
  return runLoad({ origin: testbed.url, perSecond, requests: CREATES, total }, signal);
}

/** Failed readiness probes of all replicas. */
async function findUnready({ testbed }: Trial): Promise<string[]> {
  const responses = REPLICAS.map(async (name) => {
    const status = await probe(adminPort(testbed.config, name), "readyz");
    return status === 200 ? [] : [`${name}: ${status ?? "no response"}`];
  });
  return (await Promise.all(responses)).flat();
}

function checkReadiness(samples: readonly string[][]): CheckResult[] {
  return [
    observed("readiness probes of each replica", samples.length),
    none("readiness probes that failed or took over a second", samples.flat()),
  ];
}
