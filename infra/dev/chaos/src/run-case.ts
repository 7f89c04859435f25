import { once } from "node:events";
import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import { startAmazonStandIn } from "@tapthru/amazon-stand-in/stand-in";
import { today } from "@tapthru/local/processes/machine";
import { CHECKOUT } from "@tapthru/local/stack/settings";
import { createTestRun } from "@tapthru/local/test-servers/test-run";
import type { CheckResult } from "./check-result.ts";
import { assertNoCrashes } from "./evidence/crashes.ts";
import type { FaultCase } from "./fault-case.ts";
import { startFaultProxy } from "./injectors/fault-proxy.ts";
import { createRandom } from "./random.ts";
import { describeMachine, holds, type Report } from "./report.ts";
import { choosePlaces } from "./testbed/places.ts";
import { createSupervisor } from "./testbed/supervisor.ts";
import { startTestbed } from "./testbed/testbed.ts";

/**
 * Tries one row on a stack of its own, of which nothing is left but the logs of a row that did not
 * hold, in `.data/chaos`.
 * @throws the interruption's reason
 */
export async function runRow(
  row: FaultCase,
  seed: number,
  interruption: AbortSignal,
): Promise<Report> {
  const date = today();
  const machine = describeMachine();
  const begin = performance.now();
  const findings = await tryOut(row, seed, interruption);
  interruption.throwIfAborted();
  return { row, findings, seed, seconds: (performance.now() - begin) / 1_000, date, machine };
}

/** What is done to a stack of its own. */
export type Experiment = Pick<FaultCase, "withinMs" | "run"> & { id: string };

export async function tryOut(
  row: Experiment,
  seed: number,
  interruption: AbortSignal,
): Promise<CheckResult[]> {
  const over = new AbortController();
  const tooLong = AbortSignal.timeout(row.withinMs);
  const signal = AbortSignal.any([interruption, tooLong, over.signal]);
  const run = await createTestRun();
  const processes = createSupervisor(run.ledger, signal);
  process.once("exit", processes.kill);
  const places = await choosePlaces(run);
  const standIn = await startAmazonStandIn();
  const amazonWire = await startFaultProxy(Number(new URL(standIn.url).port));
  const queueWire = await startFaultProxy(places.queuePort);
  const surroundings = { places, standIn, amazonWire, queueWire };
  let findings: CheckResult[];
  try {
    const testbed = await startTestbed(surroundings, processes);
    const say = (text: string) => console.log(`… ${text}`);
    const trial = { testbed, random: createRandom(seed), signal, say };
    findings = await Promise.race([row.run(trial), brokenOffBy(signal)]);
    findings.push(...(await assertNoCrashes(processes.deaths, places.first.logsDir)));
  } catch (error) {
    findings = [suiteFailure(tooLong.aborted ? `took more than ${row.withinMs / 1_000} s` : error)];
  }
  over.abort();
  await processes.stop();
  await Promise.all([amazonWire, queueWire, standIn].map((one) => one.stop()));
  if (!interruption.aborted && !holds({ findings })) await keepLogs(row, places.first.logsDir);
  await run.remove();
  process.off("exit", processes.kill);
  return findings;
}

async function keepLogs({ id }: Experiment, logsDir: string): Promise<void> {
  const kept = join(CHECKOUT, ".data", "chaos", id);
  await rm(kept, { recursive: true, force: true });
  await cp(logsDir, kept, { recursive: true });
}

/** A row may be waiting for somebody who hangs, and then does not notice the signal itself. */
async function brokenOffBy(signal: AbortSignal): Promise<never> {
  await once(signal, "abort");
  throw signal.reason;
}

function suiteFailure(why: unknown): CheckResult {
  return { what: "the trial was broken off", measured: String(why), limit: "not", holds: false };
}
