import { once } from "node:events";
import { rmSync } from "node:fs";
import { createServer } from "node:net";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { waitFor } from "../stack/wait-for.ts";
import { type GuardedProcess, type GuardOptions, type Run, readRun } from "./guard.ts";

/** Ends processes when the process that started this one has ended, however it ended: its end closes stdin. */
const { socket, temporaryFolders = [] }: GuardOptions = JSON.parse(process.argv[2] ?? "");
const run: Run = { owner: process.ppid, isEnding: false, processes: [] };

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
const server = createServer((client) => client.on("error", () => {}).end(JSON.stringify(run)));
if (socket !== undefined) void takeSocket(socket);
for await (const line of createInterface(process.stdin)) run.processes = JSON.parse(line);
run.isEnding = true;
await Promise.all(run.processes.map(end));
for (const folder of temporaryFolders) rmSync(folder, { recursive: true, force: true });
server.close();

/** Only one guard has the socket. A killed one leaves it behind. */
async function takeSocket(path: string): Promise<void> {
  while (!run.isEnding) {
    try {
      await once(server.listen(path), "listening");
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    }
    if ((await readRun(path)) === null) rmSync(path, { force: true });
    else await delay(100);
  }
}

async function end({ pid, stopSignal, stopWithinMs: within }: GuardedProcess): Promise<void> {
  for (const signal of ["SIGCONT", stopSignal]) signalGroup(pid, signal);
  if (await waitFor(() => hasEnded(pid), { within })) return;
  signalGroup(pid, "SIGKILL");
  await waitFor(() => hasEnded(pid), { within: 5_000 });
}

function hasEnded(pid: number): boolean {
  return !signalGroup(pid, 0);
}

/** @returns false if the group has ended */
function signalGroup(pid: number, signal: string | number): boolean {
  try {
    return process.kill(-pid, signal);
  } catch {
    return false;
  }
}
