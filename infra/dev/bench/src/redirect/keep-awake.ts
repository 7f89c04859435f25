import { offFirstCore } from "@tapthru/chaos/testbed/cores";
import type { Stack } from "@tapthru/local/stack/stack";
import { medianCpuMicros, type Server } from "./compare.ts";

const NAME = "idle load";

/**
 * Linux shares a core among groups of processes first, by the priority of each group (autogroups in sched(7)). A kernel
 * without autogroups has no such file.
 */
const LOWER_GROUP_PRIORITY = `
  const file = "/proc/self/autogroup";
  if (fs.existsSync(file)) fs.writeFileSync(file, "19");`;

/** Keeps the cores of the load generator busy at idle priority. */
export function keepCoresAwake(stack: Stack, logFile: string): Promise<void> {
  const spin = [process.execPath, "--eval", `${LOWER_GROUP_PRIORITY} for (;;);`];
  const { command, args } = offFirstCore({ command: "chrt", args: ["--idle", "0", ...spin] });
  return stack.start({ name: NAME, command, args, logFile }, async () => true);
}

/**
 * Keeps the cores of the load generator awake if visits then take less CPU time. A server pays for waking it in write(),
 * and a slower server does that more often, so it would look slower than it is. Which costs more, waking a core or
 * interrupting an awake one, depends on the machine.
 */
export async function reduceWakeUps(stack: Stack, logFile: string, server: Server): Promise<void> {
  const without = await medianCpuMicros(server);
  await keepCoresAwake(stack, logFile);
  const withLoad = await medianCpuMicros(server);
  if (without < withLoad) await stack.end(NAME, "SIGTERM");
  const figures = `${without.toFixed(1)} µs without, ${withLoad.toFixed(1)} µs with an idle load`;
  console.log(
    `A visit of the bare Fastify: ${figures}. The trials are ${without < withLoad ? "without" : "with"} it.`,
  );
}
