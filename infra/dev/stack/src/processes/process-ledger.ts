import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import * as z from "zod/mini";
import { waitFor } from "../stack/wait-for.ts";
import { UserFacingError } from "../user-facing-error.ts";
import { type ProcessEntry, processEntry, processTable } from "./process-table.ts";

const processId = { pid: z.number(), startedAt: z.string() };

const ledgerSchema = z.object({
  owner: z.object(processId),
  /** The started processes. Each leads a process group. */
  children: z.array(
    z.object({ ...processId, name: z.string(), stopSignal: z.custom<NodeJS.Signals>(isSignal) }),
  ),
});

/** The processes of a run, on disk, so that the next run can end the leftovers of a killed one. */
export type ProcessLedger = z.infer<typeof ledgerSchema>;

/** The ledger of the stack with this data folder. */
export function ledgerFile(dataDir: string): string {
  return join(dataDir, "processes.json");
}

export interface OpenLedger {
  add(child: { name: string; pid: number; stopSignal: NodeJS.Signals }): void;
  remove(pid: number): void;
  /** Removes the file, after all processes have ended. */
  close(): void;
}

/**
 * Makes this process the owner of the file, after ending the leftovers of a killed owner.
 * @throws UserFacingError while another owner is running
 */
export async function claimLedger(file: string): Promise<OpenLedger> {
  const ledger: ProcessLedger = { owner: identify(process.pid), children: [] };
  const temporaryFile = `${file}.${process.pid}`;
  writeFileSync(temporaryFile, serialize(ledger), { mode: 0o600 });
  try {
    linkSync(temporaryFile, file);
    rmSync(temporaryFile);
  } catch {
    await endPreviousRun(file).finally(() => rmSync(temporaryFile));
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
    writeFileSync(temporaryFile, serialize(ledger), { mode: 0o600 });
    renameSync(temporaryFile, file);
  }
}

async function endPreviousRun(file: string): Promise<void> {
  const previous = readLedger(file);
  if (previous === null) return;
  if (isOwnerAlive(previous)) {
    throw new UserFacingError(
      `Tapthru is already running here (process ${previous.owner.pid}): stop it first, with Ctrl-C.`,
    );
  }
  await stopLeftovers(previous);
}

function serialize(ledger: ProcessLedger): string {
  return JSON.stringify(ledger, null, 2);
}

function identify(pid: number) {
  return { pid, startedAt: processEntry(pid)?.startedAt ?? "" };
}

/** Null if the file does not exist; its owner may remove it at any moment. */
export function readLedger(file: string): ProcessLedger | null {
  try {
    return ledgerSchema.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

export function isOwnerAlive({ owner }: ProcessLedger): boolean {
  return processEntry(owner.pid)?.startedAt === owner.startedAt;
}

/**
 * The live processes of the ledger's groups. A group is ours while its leader is the process that we
 * started, or has ended: a pid is not reused while a group with that number has members.
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

/** Ends the leftover processes of the ledger's run. */
export async function stopLeftovers(ledger: ProcessLedger): Promise<void> {
  const findLive = () => liveProcesses(ledger, processTable());
  const members = findLive();
  for (const { pid, group } of members) {
    const child = ledger.children.find((candidate) => candidate.pid === group);
    if (child) signal(pid, child.stopSignal);
  }
  if (await waitFor(() => findLive().length === 0, { within: 10_000 })) return;
  for (const { pid } of findLive()) signal(pid, "SIGKILL");
  await waitFor(() => findLive().length === 0, { within: 5_000 });
}

function isSignal(name: unknown): boolean {
  return typeof name === "string" && Object.hasOwn(constants.signals, name);
}

function signal(pid: number, name: NodeJS.Signals) {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended already.
  }
}
