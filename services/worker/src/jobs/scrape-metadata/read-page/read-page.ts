import { fork } from "node:child_process";
import type { Reading } from "../source.ts";
import type { FetchedPage } from "./parse-page.ts";

const PROCESS = new URL("./parse-page-process.ts", import.meta.url);
/** An ordinary page of 2 MiB fits. */
const MEMORY_MB = 256;
/** From the start of the child; an ordinary page takes a tenth of it. */
const DEADLINE_MS = 5_000;

/**
 * Parses a page in a process of its own, without our settings in its environment: hostile HTML holds
 * a parser for minutes or eats its memory, and then that process is killed.
 * @throws the signal's reason, or an error where no process could be started
 */
export async function readPage(page: FetchedPage, signal: AbortSignal): Promise<Reading> {
  const child = fork(PROCESS, {
    execArgv: [`--max-old-space-size=${MEMORY_MB}`],
    env: {},
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    signal,
    timeout: DEADLINE_MS,
    killSignal: "SIGKILL",
  });
  try {
    return await new Promise<Reading>((resolve, reject) => {
      child.once("message", (reading) => resolve(reading as Reading));
      child.once("disconnect", () => resolve({ kind: "nothing", outcome: "unreadable" }));
      child.on("error", reject);
      // A child that died before it has read everything disconnects too.
      child.send(page, () => {});
    });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    child.kill("SIGKILL");
  }
}
