import { Worker } from "node:worker_threads";

/** A name, and a function that is called with each text. What it throws is ignored. */
export type Target = readonly [name: string, read: (text: string) => unknown];

/** Only ends endless work. */
const DEADLINE_MS = 5_000;

/**
 * Calls the targets with HOSTILE_TEXTS, in a thread.
 * @param modules each exports `targets`, an iterable of `Target`, or functions that are called with the text as each argument
 * @returns the target that did not end, or null
 */
export async function findEndless(modules: readonly URL[]): Promise<string | null> {
  const workerData = modules.map(({ href }) => href);
  const worker = new Worker(new URL("./thread.ts", import.meta.url), { workerData });
  let deadline: NodeJS.Timeout | undefined;
  try {
    return await new Promise((resolve, reject) => {
      worker.on("error", reject);
      worker.on("exit", () => resolve(null));
      worker.on("message", (target: string | null) => {
        clearTimeout(deadline);
        if (target !== null) deadline = setTimeout(resolve, DEADLINE_MS, target);
      });
    });
  } finally {
    await worker.terminate();
  }
}
