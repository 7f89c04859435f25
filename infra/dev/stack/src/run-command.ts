import { watchInterruption } from "./stack/interruption.ts";
import { printError } from "./user-facing-error.ts";

/**
 * Runs a command, which stops at the signal. The exit code is 0 if the work returns true, else 1; its error is printed
 * unless it was interrupted.
 */
export async function runCommand(work: (signal: AbortSignal) => Promise<boolean>): Promise<void> {
  const interruption = watchInterruption();
  process.exitCode = 1;
  try {
    if (await work(interruption)) process.exitCode = 0;
  } catch (error) {
    if (!interruption.aborted) printError(error);
  }
}
