import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { type ProcessEntry, processEntry, processTable } from "./process-table.ts";
import { waitFor } from "./wait-for.ts";

/** What a run has started, on disk, so that the next run can end what a killed one left behind. */
export interface Ledger {
  owner: { pid: number; startedAt: string };
  children: LedgerChild[];
}

/** Each child leads a process group of its own. */
interface LedgerChild {
  name: string;
  pid: number;
  startedAt: string;
  stopSignal: NodeJS.Signals;
}

export interface OpenLedger {
  add(child: { name: string; pid: number; stopSignal: NodeJS.Signals }): void;
  remove(pid: number): void;
}

export function openLedger(file: string): OpenLedger {
  const ledger: Ledger = { owner: mark(process.pid), children: [] };
  write();
  return {
    add(child) {
      ledger.children.push({ ...child, ...mark(child.pid) });
      write();
    },
    remove(pid) {
      ledger.children = ledger.children.filter((child) => child.pid !== pid);
      write();
    },
  };

  function write() {
    writeFileSync(`${file}.new`, JSON.stringify(ledger, null, 2), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  }
}

function mark(pid: number) {
  return { pid, startedAt: processEntry(pid)?.startedAt ?? "" };
}

export function readLedger(file: string): Ledger | null {
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Ledger) : null;
}

export function isOwnerAlive({ owner }: Ledger): boolean {
  return processEntry(owner.pid)?.startedAt === owner.startedAt;
}

/**
 * The living processes of the ledger's groups. A group counts as ours while its leader is the one we
 * started, or is gone: a pid is not given out again while a group of that number has members.
 */
export function livingMembers(ledger: Ledger, table: readonly ProcessEntry[]): ProcessEntry[] {
  return ledger.children.flatMap((child) => {
    const leader = table.find((entry) => entry.pid === child.pid);
    if (leader !== undefined && leader.startedAt !== child.startedAt) return [];
    return table.filter((entry) => entry.group === child.pid);
  });
}

/** Ends what the run of this ledger left behind. */
export async function endLeftovers(ledger: Ledger): Promise<void> {
  const living = () => livingMembers(ledger, processTable());
  const members = living();
  for (const { pid, group } of members) {
    const child = ledger.children.find((one) => one.pid === group);
    if (child) signal(pid, child.stopSignal);
  }
  if (await waitFor(() => living().length === 0, { within: 10_000 })) return;
  for (const { pid } of living()) signal(pid, "SIGKILL");
  await waitFor(() => living().length === 0, { within: 5_000 });
}

function signal(pid: number, name: NodeJS.Signals) {
  try {
    process.kill(pid, name);
  } catch {
    // It ended by itself in the meantime.
  }
}
