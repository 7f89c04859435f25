import { parseArgs } from "node:util";
import type { CheckResult } from "@tapthru/chaos/check-result";
import { checkFlat, SERVICES } from "@tapthru/chaos/evidence/resources";
import type { Trial } from "@tapthru/chaos/fault-case";
import {
  checkLatency,
  checkOperations,
  describeLoad,
  failureExamples,
} from "@tapthru/chaos/load/soak/check-soak";
import { measureSoak } from "@tapthru/chaos/load/soak/measure-soak";
import { insertProjectedLinks } from "@tapthru/chaos/load/visits/warm-links";
import { describeMachine, hasPassed, resultsTable } from "@tapthru/chaos/report";
import { runExperiment } from "@tapthru/chaos/run-case";
import { today } from "@tapthru/local/processes/machine";
import { UserFacingError } from "@tapthru/local/user-facing-error";
import { soakOwner } from "./owner.ts";

const LINKS = 20_000;
const DEFAULT_MINUTES = 30;
/** The identity's token is valid for an hour, also while the stack starts. */
const MAX_MINUTES = 45;
const PREPARATION_MINUTES = 10;

const GROUPS = { warm: "visits", unknown: "visits of unknown codes", api: "api calls" } as const;
const NAMES = Object.entries(GROUPS) as [keyof typeof GROUPS, string][];

/** Loads a stack with half of what it can serve, and checks that memory, handles and latencies stay constant. */
export async function benchSoak(signal: AbortSignal, args: string[]) {
  const minutes = readMinutes(args);
  const circumstances = `${today()}, ${minutes} minutes. ${describeMachine()}.`;
  const timeoutMs = (PREPARATION_MINUTES + minutes) * 60_000;
  const run = (trial: Trial) => soak(trial, minutes);
  const results = await runExperiment({ id: "soak", timeoutMs, run }, 1, signal);
  signal.throwIfAborted();
  const text = `${circumstances}\n\n${resultsTable({ results })}`;
  console.log(text);
  return { text, passed: hasPassed({ results }) };
}

async function soak(trial: Trial, minutes: number): Promise<CheckResult[]> {
  const { testbed, log } = trial;
  const owner = await soakOwner(testbed);
  log(`inserting ${LINKS} links`);
  const links = await insertProjectedLinks(trial, LINKS);
  const { samples, windows, ...load } = await measureSoak(trial, {
    plan: {
      origin: testbed.url,
      seed: 1,
      codes: links.map(({ shortCode }) => shortCode),
      warmLinks: LINKS,
      owner,
    },
    maxPerSecond: Number.POSITIVE_INFINITY,
    total: (perSecond) => Math.round(perSecond * minutes * 60),
    services: SERVICES,
    whileLoaded: async () => {},
  });
  return [
    ...describeLoad(load, windows),
    ...NAMES.flatMap(([group, name]) => checkOperations(name, windows, group)),
    ...failureExamples(windows),
    ...NAMES.flatMap(([group, name]) => checkLatency(name, windows, group)),
    ...checkFlat(samples),
  ];
}

function readMinutes(args: string[]): number {
  const { values } = parseArgs({ args, options: { minutes: { type: "string" } } });
  const minutes = Number(values.minutes ?? DEFAULT_MINUTES);
  if (minutes >= 1 && minutes <= MAX_MINUTES) return minutes;
  throw new UserFacingError(`--minutes must be a number from 1 to ${MAX_MINUTES}.`);
}
