import { once } from "node:events";
import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import { startAmazonStandIn } from "@tapthru/amazon-stand-in/stand-in";
import { today } from "@tapthru/local/processes/machine";
import type { OpenLedger } from "@tapthru/local/processes/process-ledger";
import { CHECKOUT } from "@tapthru/local/stack/settings";
import { createStack } from "@tapthru/local/stack/stack";
import { createTestRun } from "@tapthru/local/test-servers/test-run";
import type { CheckResult } from "./check-result.ts";
import { assertNoCrashes } from "./evidence/crashes.ts";
import type { FaultCase } from "./fault-case.ts";
import { startFaultProxy } from "./injectors/fault-proxy.ts";
import { createRandom } from "./random.ts";
import { describeMachine, hasPassed, type Report } from "./report.ts";
import { offLoadCore, onCores } from "./testbed/cores.ts";
import { startTestbed, type TestbedFixtures } from "./testbed/testbed.ts";
import { createTestbedConfig } from "./testbed/testbed-config.ts";
import { createWaitFunctions } from "./until.ts";

/**
 * Runs one fault case on its own stack and removes the stack. Logs of a failed case are kept in `.data/chaos`.
 * @throws the interruption's reason
 */
export async function runFaultCase(
  faultCase: FaultCase,
  seed: number,
  interruption: AbortSignal,
): Promise<Report> {
  const date = today();
  const machine = describeMachine();
  const begin = performance.now();
  const results = await runExperiment(faultCase, seed, interruption);
  interruption.throwIfAborted();
  return { faultCase, results, seed, seconds: (performance.now() - begin) / 1_000, date, machine };
}

/** A fault case, or a measurement on the same stack, without a description. */
export type Experiment = Pick<FaultCase, "timeoutMs" | "run"> & { id: string };

/** @throws if a required process does not start */
export async function runExperiment(
  faultCase: Experiment,
  seed: number,
  interruption: AbortSignal,
): Promise<CheckResult[]> {
  const cleanUps: (() => Promise<unknown>)[] = [];
  try {
    const run = await createTestRun();
    cleanUps.unshift(run.remove);
    const config = await createTestbedConfig(run);
    const standIn = await startAmazonStandIn();
    cleanUps.unshift(standIn.stop);
    const amazonProxy = await startFaultProxy(Number(new URL(standIn.url).port));
    cleanUps.unshift(amazonProxy.stop);
    const queueProxy = await startFaultProxy(config.queuePort);
    cleanUps.unshift(queueProxy.stop);
    const fixtures = { config, standIn, amazonProxy, queueProxy };
    const results = await runTrial(faultCase, seed, interruption, fixtures, run.ledger);
    if (!interruption.aborted && !hasPassed({ results }))
      await keepLogs(faultCase, config.first.logsDir);
    return results;
  } finally {
    for (const cleanUp of cleanUps) await cleanUp();
  }
}

/** Runs a fault case on a new stack, and stops its processes. */
async function runTrial(
  faultCase: Experiment,
  seed: number,
  interruption: AbortSignal,
  fixtures: TestbedFixtures,
  ledger: OpenLedger,
): Promise<CheckResult[]> {
  const stop = new AbortController();
  const timeout = AbortSignal.timeout(faultCase.timeoutMs);
  const signal = AbortSignal.any([interruption, timeout, stop.signal]);
  const processes = onCores(offLoadCore, createStack(ledger, signal));
  process.once("exit", processes.kill);
  try {
    const testbed = await startTestbed(fixtures, processes);
    const log = (text: string) => console.log(`… ${text}`);
    const random = createRandom(seed);
    const trial = { testbed, random, signal, log, ...createWaitFunctions(signal) };
    const results = await Promise.race([faultCase.run(trial), rejectOnAbort(signal)]);
    const { logsDir } = fixtures.config.first;
    return [...results, ...(await assertNoCrashes(processes.unexpectedExits, logsDir))];
  } catch (error) {
    return [
      abortedResult(timeout.aborted ? `took more than ${faultCase.timeoutMs / 1_000} s` : error),
    ];
  } finally {
    stop.abort();
    await processes.stop();
    process.off("exit", processes.kill);
  }
}

async function keepLogs({ id }: Experiment, logsDir: string): Promise<void> {
  const keptDir = join(CHECKOUT, ".data", "chaos", id);
  await rm(keptDir, { recursive: true, force: true });
  await cp(logsDir, keptDir, { recursive: true });
}

/** A case that waits for an unresponsive process does not notice the signal itself. */
async function rejectOnAbort(signal: AbortSignal): Promise<never> {
  await once(signal, "abort");
  throw signal.reason;
}

function abortedResult(reason: unknown): CheckResult {
  return { label: "fault case aborted", measured: String(reason), limit: "no", passed: false };
}
