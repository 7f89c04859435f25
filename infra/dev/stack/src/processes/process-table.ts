import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/** A process of this machine; `pid` and `startedAt` together identify it, as pids are reused. */
export interface ProcessEntry {
  pid: number;
  parent: number;
  group: number;
  startedAt: string;
}

/** Every live process, without zombies. */
export function processTable(): ProcessEntry[] {
  return process.platform === "linux" ? fromProc() : fromPs();
}

export function processEntry(pid: number): ProcessEntry | null {
  if (process.platform === "linux") return readStat(pid);
  return fromPs().find((entry) => entry.pid === pid) ?? null;
}

function fromProc(): ProcessEntry[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readStat(Number(name)) ?? []);
}

function readStat(pid: number): ProcessEntry | null {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return null;
  }
}

/** @param stat the line of /proc/PID/stat, see proc(5); the program's name may contain spaces and brackets */
export function parseStat(stat: string): ProcessEntry | null {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state, parent, group] = fields;
  const startedAt = fields[19];
  if (state === undefined || state === "Z" || state === "X" || startedAt === undefined) return null;
  return {
    pid: Number.parseInt(stat, 10),
    parent: Number(parent),
    group: Number(group),
    startedAt,
  };
}

function fromPs(): ProcessEntry[] {
  const args = ["-axo", "pid=,ppid=,pgid=,state=,lstart="];
  const env = { ...process.env, LC_ALL: "C" };
  return parsePs(execFileSync("ps", args, { encoding: "utf8", env }));
}

export function parsePs(output: string): ProcessEntry[] {
  return output.split("\n").flatMap((line) => {
    const [, pid, parent, group, state, startedAt] =
      /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.+)$/.exec(line) ?? [];
    if (state === undefined || startedAt === undefined || state.startsWith("Z")) return [];
    const entry = { pid: Number(pid), parent: Number(parent), group: Number(group) };
    return [{ ...entry, startedAt: startedAt.trim() }];
  });
}
