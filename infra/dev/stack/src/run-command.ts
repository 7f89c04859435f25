import { printError } from "@tapthru/core/platform/user-facing-error";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** npx and pnpm forward a Ctrl-C that the process group has already received. They do so within this time. */
const FORWARDED_WITHIN_MS = 500;

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

/**
 * Aborts on the first signal. A second signal ends the process at once, unless it is the first one forwarded again.
 * The process keeps running for a graceful shutdown, even after its terminal was closed.
 */
function watchInterruption(): AbortSignal {
  const interruption = new AbortController();
  let firstSignalAt = 0;
  for (const name of SIGNALS) {
    process.on(name, () => {
      if (!interruption.signal.aborted) {
        firstSignalAt = performance.now();
        interruption.abort();
      } else if (performance.now() - firstSignalAt > FORWARDED_WITHIN_MS) {
        process.exit(130);
      }
    });
  }
  // Writing to a closed terminal fails with EIO, to a closed pipe with EPIPE.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
  return interruption.signal;
}
