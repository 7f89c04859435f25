const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** npx and pnpm pass on a Ctrl-C that the process group had already: so soon it is the same one. */
const ECHO_MS = 500;

/**
 * Aborts at the first signal to stop; a second one, given later than its echo, calls `force`.
 * The process itself lives on to stop in good order, also when its terminal has been closed.
 */
export function watchInterruption(force: () => void): AbortSignal {
  const interruption = new AbortController();
  let since = 0;
  for (const name of SIGNALS) {
    process.on(name, () => {
      if (!interruption.signal.aborted) {
        since = performance.now();
        interruption.abort();
      } else if (performance.now() - since > ECHO_MS) {
        force();
      }
    });
  }
  // Writing to a closed terminal fails with EIO, to a closed pipe with EPIPE.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
  return interruption.signal;
}
