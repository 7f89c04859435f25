import { atMost, type CheckResult, observed } from "../check-result.ts";
import { readClickCounts, untilClicksAreStored } from "../evidence/click-counts.ts";
import { longestDelayWhile } from "../evidence/event-loop-delay.ts";
import type { FaultCase, Trial } from "../fault-case.ts";
import { type CrashTarget, crashAtRandom } from "../injectors/crash-at-random.ts";
import { type ClickOutcome, runClickLoad } from "../load/clicks/click-load.ts";
import { insertLinks, newCodes } from "../load/insert-links.ts";
import { redirectEndpoints } from "../testbed/testbed-config.ts";
import { checkClicks } from "./r27-checks.ts";

export const DEFAULT_VISITS = 100_000;

const PER_SECOND = 2_500;
const LINKS_PER_SECOND = 4;
/** On average. */
const SECONDS_BETWEEN_CRASHES = 5;

const OUTCOMES: readonly ClickOutcome[] = ["served", "refused", "no response"];

const TARGETS = [
  "redirect-1",
  "redirect-2",
  "worker-1",
  "cache Redis",
  "queue Redis",
  "Postgres",
] as const satisfies readonly CrashTarget[];

/** @param visits that are served; `--visits` sets it */
export function clicksDuringCrashes(visits: number): FaultCase {
  return {
    id: "R27",
    title: "Clicks while processes are killed",
    expected:
      "0 clicks lost but those of the last second of each killed redirect; 0 counted twice; only visits that are clicks are counted",
    procedure: `Links are visited ${PER_SECOND.toLocaleString("en")} times per second at both redirects, until as many visits were served as \`--visits\` says. They are those of people, preview crawlers, HTTP libraries and prefetches, and visits that are no clicks: HEAD, returns from in-app browsers and Google's prefetch proxy. Every five seconds on average, at random instants, a process is killed with SIGKILL and started again: redirect (two replicas), worker, both Redis servers, Postgres. Each second of the load has ${LINKS_PER_SECOND} links of its own, so that a lost or repeated batch shows. Then the clicks of each link and class in Postgres are compared with the served visits. A redirect sends its clicks by a timer, so the last second is longer by the longest delay of its event loop, as on a busy machine. While the queue Redis is unavailable, a redirect keeps its clicks in memory, and it sends again what a killed Redis may have lost, up to two seconds: if both are killed together, its last second begins that much before the outage.`,
    timeoutMs: 20 * 60_000,
    run: (trial) => countDuringCrashes(trial, visits),
  };
}

async function countDuringCrashes(trial: Trial, visits: number): Promise<CheckResult[]> {
  const { testbed, signal, log, random } = trial;
  const { config, databaseUrl } = testbed;
  const seconds = Math.ceil(visits / PER_SECOND);
  // Refused visits make the load longer.
  const codesBySecond = Array.from({ length: seconds * 2 }, () => newCodes(LINKS_PER_SECOND));
  await insertLinks(databaseUrl, codesBySecond.flat(), { addToOutbox: true });
  const replicas = redirectEndpoints(config);

  const count = Math.ceil(seconds / SECONDS_BETWEEN_CRASHES);
  log(`visiting links until ${visits} visits are served, while ${count} processes are killed`);
  const plan = {
    origins: replicas.map(({ origin }) => origin),
    codesBySecond,
    perSecond: PER_SECOND,
    visits,
    seed: Math.floor(random() * 2 ** 32),
  };
  const adminPorts = replicas.map(({ adminPort }) => adminPort);
  const [delaySeconds, [visited, crashes]] = await longestDelayWhile(adminPorts, () =>
    Promise.all([
      runClickLoad(plan, signal),
      crashAtRandom(trial, TARGETS, { count, durationMs: seconds * 1_000 }),
    ]),
  );

  const stored = await untilClicksAreStored(trial, adminPorts);
  const killsOf = (name: CrashTarget) => crashes.filter(({ target }) => target === name).length;
  const outcomes = Map.groupBy(visited, ({ outcome }) => outcome);
  return [
    observed("killed", TARGETS.map((target) => `${target} ${killsOf(target)}x`).join(", ")),
    ...OUTCOMES.map((outcome) =>
      observed(`visits: ${outcome}`, outcomes.get(outcome)?.length ?? 0),
    ),
    ...checkClicks({
      visits: visited,
      crashes,
      counted: await readClickCounts(databaseUrl),
      delaySeconds,
    }),
    atMost("time until all batches were in Postgres after the load", stored, 30, "s"),
  ];
}
