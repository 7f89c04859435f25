import { join } from "node:path";
import { findOnPath } from "@tapthru/local/programs/on-path";
import { withTemporaryStack } from "@tapthru/local/test-servers/start-temporarily";
import { UserFacingError } from "@tapthru/local/user-facing-error";
import { reduceWakeUps } from "./keep-awake.ts";
import { measureTrial } from "./measure-trial.ts";
import { type Servers, startServers } from "./servers.ts";
import { type Line, tableRow } from "./table.ts";
import type { Trial } from "./trials.ts";

/** Measures a trial and prints its line. */
export type Measure = (trial: Trial) => Promise<Line>;

/**
 * Starts the service and its peers for `work`.
 * @param serviceEnv settings of the service that are not the default ones
 * @throws UserFacingError if a program is missing
 */
export async function withServers<Result>(
  signal: AbortSignal,
  work: (servers: Servers, measure: Measure) => Promise<Result>,
  serviceEnv: NodeJS.ProcessEnv = {},
): Promise<Result> {
  if (process.platform !== "linux")
    throw new UserFacingError("This benchmark reads CPU times from /proc, so it needs Linux.");
  if (!findOnPath("wrk"))
    throw new UserFacingError("Missing: wrk. Install with `sudo apt-get install wrk`.");
  return withTemporaryStack(signal, async (folder, stack) => {
    const servers = await startServers(folder, stack, serviceEnv);
    await reduceWakeUps(stack, join(folder, "idle-load.log"), servers.fastify);
    return work(servers, async (trial) => {
      signal.throwIfAborted();
      const line = await measureTrial(servers, trial);
      console.log(tableRow(line));
      return line;
    });
  });
}
