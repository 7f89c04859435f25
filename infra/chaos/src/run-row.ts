import { once } from "node:events";
import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import { startAmazonStandIn } from "@tapthru/amazon-stand-in/stand-in";
import { today } from "@tapthru/local/machine";
import { CHECKOUT } from "@tapthru/local/settings";
import { createTestRun } from "@tapthru/local/test-run";
import { judgeHousehold } from "./evidence/household.ts";
import type { Finding } from "./finding.ts";
import { layWire } from "./injectors/wire.ts";
import { createRandom } from "./random.ts";
import { describeMachine, holds, type Report } from "./report.ts";
import type { Row } from "./row.ts";
import { choosePlaces } from "./testbed/places.ts";
import { createSupervisor } from "./testbed/supervisor.ts";
import { startTestbed } from "./testbed/testbed.ts";

/**
 * Tries one row on a stack of its own, of which nothing is left but the logs of a row that did not
 * hold, in `.data/chaos`.
 * @throws the interruption's reason
 */
export async function runRow(row: Row, seed: number, interruption: AbortSignal): Promise<Report> {
  const date = today();
  const machine = describeMachine();
  const begin = performance.now();
  const findings = await tryOut(row, seed, interruption);
  interruption.throwIfAborted();
  return { row, findings, seed, seconds: (performance.now() - begin) / 1_000, date, machine };
}

/** What is done to a stack of its own. */
export type Experiment = Pick<Row, "withinMs" | "run"> & { id: string };

export async function tryOut(
  row: Experiment,
  seed: number,
  interruption: AbortSignal,
): Promise<Finding[]> {
  const over = new AbortController();
  const tooLong = AbortSignal.timeout(row.withinMs);
  const signal = AbortSignal.any([interruption, tooLong, over.signal]);
  const run = await createTestRun();
  const processes = createSupervisor(run.ledger, signal);
  process.once("exit", processes.kill);
  const places = await choosePlaces(run);
  const standIn = await startAmazonStandIn();
  const amazonWire = await layWire(Number(new URL(standIn.url).port));
  const queueWire = await layWire(places.queuePort);
  const surroundings = { places, standIn, amazonWire, queueWire };
  let findings: Finding[];
  try {
    const testbed = await startTestbed(surroundings, processes);
    const say = (text: string) => console.log(`… ${text}`);
    const trial = { testbed, random: createRandom(seed), signal, say };
    findings = await Promise.race([row.run(trial), brokenOffBy(signal)]);
    findings.push(...(await judgeHousehold(processes.deaths, places.first.logsDir)));
  } catch (error) {
    findings = [brokenOff(tooLong.aborted ? `took more than ${row.withinMs / 1_000} s` : error)];
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

function brokenOff(why: unknown): Finding {
  return { what: "the trial was broken off", measured: String(why), limit: "not", holds: false };
}
