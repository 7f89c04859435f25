import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { postgresFolder } from "../servers/postgres-home.ts";
import { startGuard } from "./guard.ts";
import { createStack, type Stack } from "./stack.ts";

/**
 * Starts processes with a temporary folder, which a whole stack may use as its data folder.
 * @param signal stops waiting for a process that is starting
 * @returns what `start` returned, and a function that stops the processes and removes the folder
 */
export async function startTemporarily<Started extends object>(
  start: (folder: string, stack: Stack) => Promise<Started>,
  signal?: AbortSignal,
): Promise<Started & { stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "tapthru-test-"));
  const guard = startGuard({ temporaryFolders: [folder, postgresFolder(folder)] });
  const stack = createStack(guard, signal);
  const stop = async () => {
    await stack.stop();
    await guard.close();
  };
  try {
    return { ...(await start(folder, stack)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
