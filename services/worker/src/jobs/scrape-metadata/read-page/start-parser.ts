import { type ChildProcess, fork } from "node:child_process";

/** Enough for an ordinary page of 2 MiB. */
const MEMORY_MB = 256;
/** Includes the start of the child, which is slow on a busy machine. */
const LIFETIME_MS = 30_000;

/**
 * Starts a process for hostile input: it inherits no environment variables, so no database or Redis URL and no key, and
 * no standard streams.
 * @param module receives its lifetime in milliseconds as its argument
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
