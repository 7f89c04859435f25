/** Visits that one redirect works on at once: a small part of a second's work. */
const VISITS_PER_REDIRECT = 512;
/** Reports of the app-opening page in progress at one redirect. Visits do not share these places. */
const REPORTS_PER_REDIRECT = 64;
/**
 * Requests in progress at one api, including those whose body is still being sent and those whose reply is still
 * being read. The api itself refuses more than it can work on; this only bounds what a hung api costs the gateway.
 */
const REQUESTS_PER_API = 4_096;

/** For each upstream group: requests in progress at one replica. */
export const IN_PROGRESS_PER_REPLICA = {
  redirect: VISITS_PER_REDIRECT,
  reports: REPORTS_PER_REDIRECT,
  api: REQUESTS_PER_API,
} as const;
export type LimitedUpstream = keyof typeof IN_PROGRESS_PER_REPLICA;

/** Requests in progress of one IPv4 address or one IPv6 /64 network. Visits of links are not counted. */
export const IN_PROGRESS_PER_ADDRESS = 100;

/** Connections of all workers, to clients and to services. nginx reserves about 430 bytes for each. */
const CONNECTIONS = 131_072;

/**
 * Connections and open files of one worker.
 * @param openFiles how many files a process may have open
 */
export function workerLimits(workers: number, openFiles: number) {
  const connections = Math.floor(Math.min(CONNECTIONS / workers, openFiles / 2));
  // A connection is a file, and a client of the web application reads one more.
  return { connections, openFiles: 2 * connections };
}

/** Requests in progress with all replicas busy; each needs a connection to the client and one to the replica. */
export function connectionsAtFullLoad(replicas: { api: number; redirect: number }): number {
  const { api, redirect, reports } = IN_PROGRESS_PER_REPLICA;
  return 2 * (replicas.api * api + replicas.redirect * (redirect + reports));
}
