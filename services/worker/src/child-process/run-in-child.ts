import { fork } from "node:child_process";

/** A program for hostile input, and what its process may use. It calls `serve` of child.ts. */
export interface ChildProgram {
  module: URL;
  cpuMs: number;
  memoryMb: number;
  /** Includes its start, which is slow on a busy machine, and the calls for which it waits. */
  lifetimeMs: number;
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
  const child = fork(program.module, [String(program.cpuMs)], {
    execArgv: [`--max-old-space-size=${program.memoryMb}`],
    env: {},
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  // A child that ended does not read.
  const send = (message: object) => void child.send(message, () => {});
  const end = () => void child.kill("SIGKILL");
  const timer = setTimeout(end, program.lifetimeMs);
  signal.addEventListener("abort", end, { once: true });
  try {
    return await new Promise<Result>((resolve, reject) => {
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
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    end();
    clearTimeout(timer);
    signal.removeEventListener("abort", end);
  }
}
