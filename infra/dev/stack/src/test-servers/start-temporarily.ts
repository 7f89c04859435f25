import { createStack, type Stack } from "../stack/stack.ts";
import { createTestRun } from "./test-run.ts";

type Start<Started> = (folder: string, stack: Stack) => Promise<Started>;

/**
 * Starts processes with a temporary folder.
 * @param signal stops waiting for a process that is starting
 * @returns what `start` returned, and a function that stops the processes and removes the folder
 */
export async function startTemporarily<Started extends object>(
  start: Start<Started>,
  signal?: AbortSignal,
): Promise<Started & { stop(): Promise<void> }> {
  const run = await createTestRun();
  const stack = createStack(run.ledger, signal);
  // Vitest runs no teardown when it is interrupted.
  process.once("exit", stack.kill);
  const stop = async () => {
    await stack.stop();
    process.off("exit", stack.kill);
    await run.remove();
  };
  try {
    return { ...(await start(run.folder, stack)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
