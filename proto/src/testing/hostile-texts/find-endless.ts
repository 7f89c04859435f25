import { Worker } from "node:worker_threads";

/** A name, and a function that is called with each text. What it throws is ignored. */
export type Target = readonly [name: string, read: (text: string) => unknown];

/** Processor time, so that other work on the machine does not count. Only ends endless work. */
const DEADLINE_MS = 20_000;

/** Calls the targets in a thread. @param modules each exports `targets`, or functions that are called with the text as each argument */
export async function findEndless(modules: readonly URL[]): Promise<string | null> {
  const workerData = modules.map(({ href }) => href);
  const worker = new Worker(new URL("./thread.ts", import.meta.url), { workerData });
  let current: string | null = null;
  let start = process.cpuUsage();
  let check: NodeJS.Timeout | undefined;
  try {
    return await new Promise((resolve, reject) => {
      worker.on("error", reject);
      worker.on("exit", () => resolve(null));
      worker.on("message", (target: string | null) => {
        current = target;
        start = process.cpuUsage();
      });
      check = setInterval(() => {
        const { user, system } = process.cpuUsage(start);
        if (current !== null && (user + system) / 1_000 > DEADLINE_MS) resolve(current);
      }, 1_000);
    });
  } finally {
    clearInterval(check);
    await worker.terminate();
  }
}
