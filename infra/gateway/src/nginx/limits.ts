import { execFileSync } from "node:child_process";
import { VISITS_IN_PROGRESS_MAX } from "@tapthru/proto/rules/limits";

/** Outcome reports in progress at one redirect replica. They have a limit separate from visits. */
const REPORTS_PER_REDIRECT = 64;
/**
 * Requests in progress at one api replica, including those whose body is still being sent and those whose response is
 * still being read. The api itself sheds load; this only limits what an unresponsive api costs the gateway.
 */
const REQUESTS_PER_API = 4_096;

/** Maximum requests in progress at one replica, by upstream group. */
export const IN_PROGRESS_PER_REPLICA = {
  // A replica completes that many in a fraction of a second.
  redirect: VISITS_IN_PROGRESS_MAX,
  reports: REPORTS_PER_REDIRECT,
  api: REQUESTS_PER_API,
} as const;
export type LimitedUpstream = keyof typeof IN_PROGRESS_PER_REPLICA;

/** Maximum requests in progress of one IPv4 address or one IPv6 /64 network. Visits are not counted. */
export const IN_PROGRESS_PER_ADDRESS = 100;

/** Connections of all workers to clients and services. nginx reserves about 430 bytes for each. */
const CONNECTIONS = 131_072;
/** Memory of the gateway without connections, and of a kept one with HTTP/2 and TLS, as measured. */
const BYTES_AT_REST = 62_000_000;
const BYTES_OF_CONNECTION = 29_000;
const MIN_CONNECTIONS = 512;

/**
 * Maximum connections and open files of one worker. Close to the maximum nginx closes those kept connections that are idle longest.
 * @param openFiles how many files a process may have open
 * @param memoryBytes how much memory the gateway may use
 */
export function workerLimits(workers: number, { openFiles, memoryBytes }: { openFiles: number; memoryBytes: number }) {
  const inMemory = Math.max(MIN_CONNECTIONS, (memoryBytes - BYTES_AT_REST) / BYTES_OF_CONNECTION / workers);
  const connections = Math.floor(Math.min(CONNECTIONS / workers, inMemory, openFiles / 2));
  // A connection is an open file, and a client that loads a file of the SPA needs another one.
  return { connections, openFiles: 2 * connections };
}

/** The memory limit of the container; without one, infinite. */
export function memoryLimit(): number {
  return process.constrainedMemory() || Number.POSITIVE_INFINITY;
}

/** How many files a child process may have open: the hard limit, to which Node raises its own soft limit. */
export function openFilesLimit(): number {
  const limit = execFileSync("/bin/sh", ["-c", "ulimit -n"], { encoding: "utf8" }).trim();
  return limit === "unlimited" ? Number.POSITIVE_INFINITY : Number(limit);
}
