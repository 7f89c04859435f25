import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { today } from "../processes/machine.ts";
import { isDockerAvailable } from "../programs/docker.ts";
import { findOnPath } from "../programs/on-path.ts";
import { CHECKOUT } from "../stack/settings.ts";
import { printError, UserFacingError } from "../user-facing-error.ts";
import { type Container, startContainer } from "./container.ts";
import { type CommandName, type Machine, parseMatrixArguments } from "./machines.ts";
import { OCCUPY_PORTS } from "./scripts.ts";
import { type MatrixResult, withResults } from "./table.ts";
import { runStartCommand, runTestCommand, testStartOnUsedPorts } from "./test-commands.ts";

/**
 * Tests `start` and `test` in bare containers, each with a fresh clone of the checked-out commit, and
 * writes the results to docs/CONTRIBUTING.md.
 */
const PAGE = join(CHECKOUT, "docs", "CONTRIBUTING.md");
const LOGS = join(CHECKOUT, ".data", "matrix");

process.exitCode = 1;
try {
  const { machines, commands } = parseMatrixArguments(process.argv.slice(2));
  if (!findOnPath("git")) throw new UserFacingError("Missing: git. Install it.");
  if (!(await isDockerAvailable()))
    throw new UserFacingError("Missing: Docker. Install it and start its engine.");
  mkdirSync(LOGS, { recursive: true });
  const clone = await mkdtemp(join(tmpdir(), "tapthru-clone-"));
  try {
    await execa("git", ["clone", "--quiet", "--depth=1", "--no-local", CHECKOUT, clone]);
    const { stdout: commit } = await execa("git", ["rev-parse", "--short", "HEAD"], { cwd: clone });
    const results: MatrixResult[] = [];
    for (const machine of machines) {
      const outcomes = await testMachine(machine, commands, clone);
      results.push({ machine, testedAt: `${today()}, \`${commit}\``, outcomes });
      writeFileSync(PAGE, withResults(readFileSync(PAGE, "utf8"), results));
    }
    const outcomes = results.flatMap((result) => Object.values(result.outcomes));
    if (outcomes.every((outcome) => outcome.startsWith("passed"))) process.exitCode = 0;
  } finally {
    await rm(clone, { recursive: true, force: true });
  }
} catch (error) {
  printError(error);
}

async function testMachine(
  machine: Machine,
  commands: readonly CommandName[],
  clone: string,
): Promise<MatrixResult["outcomes"]> {
  const outcomes: MatrixResult["outcomes"] = {};
  const container = await startContainer(machine, clone);
  try {
    if (machine.arePortsInUse) await container.runScriptInBackground(OCCUPY_PORTS);
    for (const command of commands) {
      const outcome = await testCommand(command, machine, container).catch(describeError);
      outcomes[command] = outcome;
      console.log(`${machine.name} ${command}: ${outcome}`);
    }
  } finally {
    await container.remove();
  }
  return outcomes;
}

async function testCommand(
  command: CommandName,
  machine: Machine,
  container: Container,
): Promise<string> {
  const logFile = join(LOGS, `${machine.name}-${command}.log`);
  if (command === "test") return runTestCommand(container, logFile);
  if (machine.arePortsInUse) return testStartOnUsedPorts(container, logFile);
  return runStartCommand(container, logFile);
}

function describeError(error: unknown): string {
  printError(error);
  return "failed: see the output of pnpm matrix";
}
