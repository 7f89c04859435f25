import type { Trial } from "../fault-case.ts";
import type { ProcessName } from "../testbed/testbed.ts";
import { crash, stopPostgresImmediately } from "./crash.ts";
import { planCrashes } from "./crash-plan.ts";

export type CrashTarget = ProcessName | "Postgres, by an immediate stop";

/** A process that was killed and started again; times in Unix milliseconds. */
export interface Crash<Target extends CrashTarget = CrashTarget> {
  target: Target;
  at: number;
  readyAt: number;
}

/** Kills processes with SIGKILL at random instants, and starts each again at once. */
export async function crashAtRandom<Target extends CrashTarget>(
  { testbed, random, pause }: Pick<Trial, "testbed" | "random" | "pause">,
  targets: readonly Target[],
  size: { count: number; durationMs: number },
): Promise<Crash<Target>[]> {
  const restarts = new Map<ProcessName, Promise<unknown>>();

  async function crashOnce(target: Target, name: ProcessName): Promise<Crash<Target>> {
    const at = Date.now();
    await (target === name ? crash(testbed, name) : stopPostgresImmediately(testbed));
    await testbed.start(name);
    return { target, at, readyAt: Date.now() };
  }

  return Promise.all(
    planCrashes(targets, size, random).map(async ({ atMs, target }) => {
      await pause(atMs);
      const name = processOf(target);
      // A second crash of the same process waits until it has restarted.
      const previous = restarts.get(name) ?? Promise.resolve();
      const crashed = previous.then(() => crashOnce(target, name));
      restarts.set(name, crashed);
      return crashed;
    }),
  );
}

function processOf(target: CrashTarget): ProcessName {
  return target === "Postgres, by an immediate stop" ? "Postgres" : target;
}
