import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { waitFor } from "../stack/wait-for.ts";
import { UserFacingError } from "../user-facing-error.ts";
import { type ProcessEntry, processEntry, processTable } from "./process-table.ts";

/** What a run has started, on disk, so that the next run can end what a killed one left behind. */
export interface ProcessLedger {
  owner: { pid: number; startedAt: string };
  children: LedgerChild[];
}

/** The ledger of the stack that has this data folder. */
export function ledgerFile(dataDir: string): string {
  return join(dataDir, "processes.json");
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
  /** Lets go of the file: nothing of this run is left. */
  close(): void;
}

/**
 * Makes this process the owner of the file, after ending what a killed owner left behind.
 * @throws PlainError while the owner lives
 */
export async function claimLedger(file: string): Promise<OpenLedger> {
  const ledger: ProcessLedger = { owner: identify(process.pid), children: [] };
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, serialize(ledger), { mode: 0o600 });
  try {
    linkSync(draft, file);
    rmSync(draft);
  } catch {
    await endPreviousRun(file).finally(() => rmSync(draft));
    write();
  }
  return {
    add(child) {
      ledger.children.push({ ...child, ...identify(child.pid) });
      write();
    },
    remove(pid) {
      ledger.children = ledger.children.filter((child) => child.pid !== pid);
      write();
    },
    close: () => rmSync(file),
  };

  function write() {
    writeFileSync(draft, serialize(ledger), { mode: 0o600 });
    renameSync(draft, file);
  }
}

async function endPreviousRun(file: string): Promise<void> {
  const former = readLedger(file);
  if (former === null) return;
  if (isOwnerAlive(former)) {
    throw new UserFacingError(
      `Tapthru is already running here (process ${former.owner.pid}): stop it first, with Ctrl-C.`,
    );
  }
  await stopLeftovers(former);
}

function serialize(ledger: ProcessLedger): string {
  return JSON.stringify(ledger, null, 2);
}

function identify(pid: number) {
  return { pid, startedAt: processEntry(pid)?.startedAt ?? "" };
}

/** Null where there is none; its owner may remove it at any moment. */
export function readLedger(file: string): ProcessLedger | null {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as ProcessLedger;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

export function isOwnerAlive({ owner }: ProcessLedger): boolean {
  return processEntry(owner.pid)?.startedAt === owner.startedAt;
}

/**
 * The living processes of the ledger's groups. A group counts as ours while its leader is the one we
 * started, or is gone: a pid is not given out again while a group of that number has members.
 */
export function liveProcesses(
  ledger: ProcessLedger,
  table: readonly ProcessEntry[],
): ProcessEntry[] {
  return ledger.children.flatMap((child) => {
    const leader = table.find((entry) => entry.pid === child.pid);
    if (leader !== undefined && leader.startedAt !== child.startedAt) return [];
    return table.filter((entry) => entry.group === child.pid);
  });
}

/** Ends what the run of this ledger left behind. */
export async function stopLeftovers(ledger: ProcessLedger): Promise<void> {
  const living = () => liveProcesses(ledger, processTable());
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
