import { type ChildProcess, fork } from "node:child_process";

/** A program for hostile input, and what its process may use. It calls `serve` of child.ts. */
export interface ChildProgram {
  module: URL;
  cpuMs: number;
  memoryMb: number;
  /** Includes its start, which is slow on a busy machine, and the calls for which it waits. */
  lifetimeMs: number;
  /** How many inputs a process runs, one after another, unless one fails. By default one: the next input may be another user's. */
  inputs?: number;
}

/** `limit`: it used all of its CPU time or memory, which it would do again. `failed`: it ended otherwise. */
export class ChildError extends Error {
  override readonly name = "ChildError";
  readonly kind: "limit" | "failed";

  constructor(kind: "limit" | "failed", message: string) {
    super(message);
    this.kind = kind;
  }
}

type ChildCalls = Readonly<Record<string, (argument: never) => Promise<unknown>>>;

type Message<Result> = { result: Result } | { failure: string } | { id: number; call: string; argument: never };

/** The signals with which child.ts, and V8 without memory, end a process. */
const LIMIT_SIGNALS: ReadonlySet<string | null> = new Set(["SIGVTALRM", "SIGABRT"]);

interface WarmChild {
  child: ChildProcess;
  /** How many inputs it may still run. */
  inputs: number;
}

const IDLE_MAX = 2;
const idle = new Map<string, WarmChild[]>();

function start({ module, cpuMs, memoryMb, inputs = 1 }: ChildProgram): WarmChild {
  const child = fork(module, [String(cpuMs)], {
    execArgv: [`--max-old-space-size=${memoryMb}`],
    env: {},
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  return { child, inputs };
}

/** Keeps a process for its next input. It does not keep the worker running. */
function keep(key: string, { child, inputs }: WarmChild): void {
  const waiting = idle.get(key) ?? [];
  if (inputs === 1 || waiting.length >= IDLE_MAX) return void child.kill("SIGKILL");
  const warm = { child, inputs: inputs - 1 };
  idle.set(key, [...waiting, warm]);
  child.unref();
  child.channel?.unref();
  child.once("exit", () => idle.set(key, idle.get(key)?.filter((each) => each !== warm) ?? []));
}

function take(key: string): WarmChild | undefined {
  const [warm, ...others] = idle.get(key) ?? [];
  idle.set(key, others);
  warm?.child.removeAllListeners();
  warm?.child.ref();
  warm?.child.channel?.ref();
  return warm;
}

/**
 * Runs a program in a process of its own, which inherits no environment variables, so no database or Redis URL and no key, and no
 * standard streams.
 * @throws ChildError, the signal's reason, what a call throws, or an error if no process could be started
 */
export async function runInChild<Result>(
  program: ChildProgram,
  input: unknown,
  { signal, calls = {} }: { signal: AbortSignal; calls?: ChildCalls },
): Promise<Result> {
  signal.throwIfAborted();
  const key = `${program.module} ${program.cpuMs} ${program.memoryMb}`;
  const warm = take(key) ?? start(program);
  const { child } = warm;
  // A child that ended does not read.
  const send = (message: object) => void child.send(message, () => {});
  const end = () => void child.kill("SIGKILL");
  const timer = setTimeout(end, program.lifetimeMs);
  signal.addEventListener("abort", end, { once: true });
  try {
    const result = await new Promise<Result>((resolve, reject) => {
      async function answer({ id, call, argument }: { id: number; call: string; argument: never }) {
        send({ id, result: await calls[call]?.(argument) });
      }
      child.on("message", (message: Message<Result>) => {
        if ("result" in message) resolve(message.result);
        else if ("failure" in message) reject(new ChildError("failed", message.failure));
        else answer(message).catch(reject);
      });
      // After its last message.
      child.once("close", (code, endedBy) => {
        const kind = LIMIT_SIGNALS.has(endedBy) ? "limit" : "failed";
        reject(new ChildError(kind, `The process ended with ${endedBy ?? code}`));
      });
      child.once("error", reject);
      send({ input });
    });
    child.removeAllListeners();
    keep(key, warm);
    return result;
  } catch (error) {
    end();
    signal.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", end);
  }
}
