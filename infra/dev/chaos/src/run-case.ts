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
import { describeMachine, hasPassed, type Report } from "./report.ts";
import { createSupervisor } from "./testbed/supervisor.ts";
import { startTestbed } from "./testbed/testbed.ts";
import { createTestbedConfig } from "./testbed/testbed-config.ts";

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

/** Work on a separate stack. */
export type Experiment = Pick<FaultCase, "timeoutMs" | "run"> & { id: string };

export async function runExperiment(
  faultCase: Experiment,
  seed: number,
  interruption: AbortSignal,
): Promise<CheckResult[]> {
  const stop = new AbortController();
  const timeout = AbortSignal.timeout(faultCase.timeoutMs);
  const signal = AbortSignal.any([interruption, timeout, stop.signal]);
  const run = await createTestRun();
  const processes = createSupervisor(run.ledger, signal);
  process.once("exit", processes.kill);
  const config = await createTestbedConfig(run);
  const standIn = await startAmazonStandIn();
  const amazonProxy = await startFaultProxy(Number(new URL(standIn.url).port));
  const queueProxy = await startFaultProxy(config.queuePort);
  const fixtures = { config, standIn, amazonProxy, queueProxy };
  let results: CheckResult[];
  try {
    const testbed = await startTestbed(fixtures, processes);
    const log = (text: string) => console.log(`… ${text}`);
    const trial = { testbed, random: createRandom(seed), signal, log };
    results = await Promise.race([faultCase.run(trial), rejectOnAbort(signal)]);
    results.push(...(await assertNoCrashes(processes.unexpectedExits, config.first.logsDir)));
  } catch (error) {
    results = [
      abortedResult(timeout.aborted ? `took more than ${faultCase.timeoutMs / 1_000} s` : error),
    ];
  }
  stop.abort();
  await processes.stop();
  await Promise.all([amazonProxy, queueProxy, standIn].map((one) => one.stop()));
  if (!interruption.aborted && !hasPassed({ results }))
    await keepLogs(faultCase, config.first.logsDir);
  await run.remove();
  process.off("exit", processes.kill);
  return results;
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
