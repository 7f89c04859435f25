import { offFirstCore } from "@tapthru/chaos/testbed/cores";
import type { Stack } from "@tapthru/local/stack/stack";

/**
 * Keeps the cores of the load generator busy at idle priority. A server that wakes an idle core pays for it in write(),
 * so a slower server would look slower than it is.
 */
export function keepCoresAwake(stack: Stack, logFile: string): Promise<void> {
  const spin = [process.execPath, "--eval", "for (;;);"];
  const { command, args } = offFirstCore({ command: "chrt", args: ["--idle", "0", ...spin] });
  return stack.start({ name: "idle load", command, args, logFile }, async () => true);
}
