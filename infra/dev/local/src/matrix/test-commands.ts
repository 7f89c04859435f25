import { existsSync, readFileSync } from "node:fs";
import { waitFor } from "../stack/wait-for.ts";
import type { Container } from "./container.ts";
import { INTERRUPT, PROBE } from "./scripts.ts";

const PNPM = ["npx", "--yes", "pnpm@10"];
const READY_TIMEOUT_MS = 15 * 60_000;
const PORT_IN_USE = /^Port 8080 is in use: stop the program that listens on it, or set PORT[.]$/m;
const COUNTS = /^\d+ passed, \d+ failed.*$/gm;

/** Starts the stack, creates and opens a link, and stops the stack. @returns the outcome for the table */
export async function runStartCommand(container: Container, logFile: string): Promise<string> {
  const start = performance.now();
  let exitCode: number | null | undefined = null;
  const ended = container.run([...PNPM, "start"], logFile).then((code) => {
    exitCode = code;
  });
  const isReady = () => /^Tapthru runs on /m.test(textOf(logFile));
  await waitFor(() => exitCode !== null || isReady(), { within: READY_TIMEOUT_MS, every: 500 });
  if (!isReady()) return `failed: ${exitCode === null ? "not ready" : `exit code ${exitCode}`}`;
  const seconds = Math.round((performance.now() - start) / 1000);
  await container.runScript(PROBE);
  await container.runScript(INTERRUPT);
  await ended;
  return exitCode === 0
    ? `passed, ready in ${seconds} s`
    : `failed: exit code ${exitCode} after Ctrl-C`;
}

/** Starts the stack while its ports are in use. @returns the outcome for the table */
export async function testStartOnUsedPorts(container: Container, logFile: string): Promise<string> {
  const exitCode = await container.run([...PNPM, "start"], logFile);
  const isNamed = PORT_IN_USE.test(textOf(logFile));
  return exitCode === 1 && isNamed
    ? "passed: names port and setting"
    : `failed: exit code ${exitCode}`;
}

/** Runs all tests. @returns the outcome for the table */
export async function runTestCommand(container: Container, logFile: string): Promise<string> {
  const start = performance.now();
  const exitCode = await container.run([...PNPM, "test"], logFile);
  const minutes = Math.round((performance.now() - start) / 60_000);
  const counts = textOf(logFile).match(COUNTS)?.at(-1) ?? `exit code ${exitCode}`;
  return exitCode === 0 ? `passed, ${minutes} min: ${counts}` : `failed: ${counts}`;
}

function textOf(file: string): string {
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}
