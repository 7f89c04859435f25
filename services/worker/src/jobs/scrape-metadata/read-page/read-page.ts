import { type ChildProcess, fork } from "node:child_process";
import type { ReadResult } from "../source.ts";
import type { FetchedPage } from "./parse-page.ts";

const PROCESS = new URL("./parse-page-process.ts", import.meta.url);
/** Starts when the child has received the page. An ordinary page takes 1 % of it. */
const DEADLINE_MS = 5_000;

/**
 * Parses a page in a separate process, which is killed if hostile HTML blocks the parser or exhausts its memory.
 * @throws the signal's reason, or an error if no process could be started
 */
export async function readPage(
  page: FetchedPage,
  signal: AbortSignal,
  deadlineMs = DEADLINE_MS,
): Promise<ReadResult> {
  const child = startParser(PROCESS, signal);
  let deadline: NodeJS.Timeout | undefined;
  try {
    return await new Promise<ReadResult>((resolve, reject) => {
      child.once("message", () => {
        child.once("message", (result) => resolve(result as ReadResult));
        // A child that exits before it has read everything disconnects too.
        child.send(page, () => {});
        deadline = setTimeout(() => child.kill("SIGKILL"), deadlineMs);
      });
      child.once("disconnect", () => resolve({ kind: "nothing", outcome: "unreadable" }));
      child.on("error", reject);
    });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(deadline);
    child.kill("SIGKILL");
  }
}

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
