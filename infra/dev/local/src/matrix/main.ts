import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { today } from "../processes/machine.ts";
import { isDockerAvailable } from "../programs/docker.ts";
import { onPath } from "../programs/on-path.ts";
import { CHECKOUT } from "../stack/settings.ts";
import { printError, UserFacingError } from "../user-facing-error.ts";
import { type Container, startContainer } from "./container.ts";
import { type CommandName, type Machine, parseMatrixArguments } from "./machines.ts";
import { TAKE_PORTS } from "./scripts.ts";
import { type MatrixResult, withResults } from "./table.ts";
import { tryStart, tryStartOnTakenPorts, tryTest } from "./try-commands.ts";

/**
 * Tries `start` and `test` in bare containers, each with a fresh clone of the commit that is checked
 * out, and writes the results into docs/CONTRIBUTING.md.
 */
const PAGE = join(CHECKOUT, "docs", "CONTRIBUTING.md");
const LOGS = join(CHECKOUT, ".data", "matrix");

process.exitCode = 1;
try {
  const { rows, commands } = parseMatrixArguments(process.argv.slice(2));
  if (!onPath("git")) throw new UserFacingError("Missing: git. Install it.");
  if (!(await isDockerAvailable()))
    throw new UserFacingError("Missing: Docker. Install it and start its engine.");
  mkdirSync(LOGS, { recursive: true });
  const clone = await mkdtemp(join(tmpdir(), "tapthru-clone-"));
  try {
    await execa("git", ["clone", "--quiet", "--depth=1", "--no-local", CHECKOUT, clone]);
    const { stdout: commit } = await execa("git", ["rev-parse", "--short", "HEAD"], { cwd: clone });
    const tried: MatrixResult[] = [];
    for (const row of rows) {
      const outcomes = await tryMachine(row, commands, clone);
      tried.push({ machine: row, testedAt: `${today()}, \`${commit}\``, outcomes });
      writeFileSync(PAGE, withResults(readFileSync(PAGE, "utf8"), tried));
    }
    const outcomes = tried.flatMap((one) => Object.values(one.outcomes));
    if (outcomes.every((outcome) => outcome.startsWith("passed"))) process.exitCode = 0;
  } finally {
    await rm(clone, { recursive: true, force: true });
  }
} catch (error) {
  printError(error);
}

async function tryMachine(
  row: Machine,
  commands: readonly CommandName[],
  clone: string,
): Promise<MatrixResult["outcomes"]> {
  const outcomes: MatrixResult["outcomes"] = {};
  const container = await startContainer(row, clone);
  try {
    if (row.arePortsTaken) await container.runScriptInBackground(TAKE_PORTS);
    for (const command of commands) {
      const outcome = await tryCommand(command, row, container).catch(describeError);
      outcomes[command] = outcome;
      console.log(`${row.name} ${command}: ${outcome}`);
    }
  } finally {
    await container.remove();
  }
  return outcomes;
}

async function tryCommand(
  command: CommandName,
  row: Machine,
  container: Container,
): Promise<string> {
  const logFile = join(LOGS, `${row.name}-${command}.log`);
  if (command === "test") return tryTest(container, logFile);
  if (row.arePortsTaken) return tryStartOnTakenPorts(container, logFile);
  return tryStart(container, logFile);
}

function describeError(error: unknown): string {
  printError(error);
  return "failed: see the output of pnpm matrix";
}
