import { type ChildProcess, fork } from "node:child_process";

/** An ordinary page of 2 MiB fits. */
const MEMORY_MB = 256;
/** With the child's own start, which takes long on a busy machine and is no page's fault. */
const LIFETIME_MS = 30_000;

/**
 * Starts a process that may be given hostile input: it inherits no environment variable, so no database
 * or Redis URL and no key, and none of our standard streams.
 * @param module gets its own lifetime in milliseconds as its argument
 */
export function startParser(module: URL, signal: AbortSignal): ChildProcess {
  return fork(module, [String(LIFETIME_MS)], {
    execArgv: [`--max-old-space-size=${MEMORY_MB}`],
    env: {},
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    signal,
    timeout: LIFETIME_MS,
    killSignal: "SIGKILL",
  });
}
