import { respondsOverHttp } from "@tapthru/local/stack/http-health";
import { waitFor } from "@tapthru/local/stack/wait-for";
import type { CpuProfile } from "./self-times.ts";

const SAMPLING_MICROS = 200;
const DEBUGGER_START_MS = 5_000;

/** A connection to the debugger of a Node.js process. */
export interface Inspector {
  /** Samples the process while `work` runs. */
  profile(work: () => Promise<void>): Promise<CpuProfile>;
  /** Calls the function, which must be independent of this module, in the process. */
  run<Result>(work: () => Result): Promise<Result>;
  close(): void;
}

/** @param port the port of the process's `--inspect-port` option */
export async function connectInspector(pid: number, port: number): Promise<Inspector> {
  process.kill(pid, "SIGUSR1");
  const targets = `http://127.0.0.1:${port}/json`;
  await waitFor(() => respondsOverHttp(targets, 200), { within: DEBUGGER_START_MS, every: 20 });
  const [target] = (await (await fetch(targets)).json()) as {
    webSocketDebuggerUrl: string;
  }[];
  if (target === undefined) throw new Error(`nothing to debug at port ${port}`);
  const socket = new WebSocket(target.webSocketDebuggerUrl);
  await once(socket, "open");
  let lastId = 0;

  async function call<Result>(method: string, params = {}): Promise<Result> {
    const id = ++lastId;
    socket.send(JSON.stringify({ id, method, params }));
    for (;;) {
      const message = JSON.parse((await once(socket, "message")).data);
      if (message.id === id) return message.result;
    }
  }

  return {
    async profile(work) {
      await call("Profiler.enable");
      await call("Profiler.setSamplingInterval", { interval: SAMPLING_MICROS });
      await call("Profiler.start");
      await work();
      const { profile } = await call<{ profile: CpuProfile }>("Profiler.stop");
      return profile;
    },
    async run<Result>(work: () => Result) {
      const { result } = await call<{ result: { value: Result } }>("Runtime.evaluate", {
        expression: `(${work})()`,
        returnByValue: true,
      });
      return result.value;
    },
    close: () => socket.close(),
  };
}

function once(socket: WebSocket, name: "open" | "message"): Promise<MessageEvent> {
  return new Promise((resolve, reject) => {
    socket.addEventListener(name, (event) => resolve(event as MessageEvent), { once: true });
    socket.addEventListener("error", () => reject(new Error("the debugger disconnected")), {
      once: true,
    });
  });
}
