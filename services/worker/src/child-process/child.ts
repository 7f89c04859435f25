import { Worker } from "node:worker_threads";

export type CallParent = <Result>(call: string, argument?: unknown) => Promise<Result>;

/** A program may block its thread for minutes, also after its parent was killed. SIGVTALRM writes no core dump. */
const WATCHDOG = `
  const { cpuMs } = require("node:worker_threads").workerData;
  setInterval(() => {
    const { user, system } = process.cpuUsage();
    if ((user + system) / 1_000 > cpuMs) process.kill(process.pid, "SIGVTALRM");
  }, 100);
`;

/** Runs the program of this process, whose parent is run-in-child.ts, with its input. The parent then ends the process. */
export function serve<Input>(run: (input: Input, call: CallParent) => unknown): void {
  // Ctrl-C reaches the whole process group; only the parent stops its child.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});
  new Worker(WATCHDOG, { eval: true, workerData: { cpuMs: Number(process.argv[2]) } }).unref();

  const waiting = new Map<number, (result: unknown) => void>();
  let lastId = 0;
  const call = ((name: string, argument?: unknown) => {
    const { promise, resolve } = Promise.withResolvers();
    waiting.set(++lastId, resolve);
    process.send?.({ id: lastId, call: name, argument });
    return promise;
  }) as CallParent;

  process.on("message", async (message: { input: Input } | { id: number; result: unknown }) => {
    if ("id" in message) {
      waiting.get(message.id)?.(message.result);
      waiting.delete(message.id);
      return;
    }
    try {
      process.send?.({ result: await run(message.input, call) });
    } catch (error) {
      process.send?.({ failure: error instanceof Error ? error.stack : String(error) });
    }
  });
}
