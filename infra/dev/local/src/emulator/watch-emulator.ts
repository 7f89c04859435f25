import { setTimeout as delay } from "node:timers/promises";
import {
  type EmulatorAddress,
  exportAccounts,
  readAccounts,
  readPasswordResets,
} from "./emulator-calls.ts";
import { keepNewestExport, newExport } from "./emulator-exports.ts";

const EVERY_MS = 1_000;

interface Watch {
  emulator: EmulatorAddress;
  exportsDir: string;
  publicBaseUrl: string;
}

/**
 * Does what the emulator leaves undone, until the signal: exports the accounts soon after each change,
 * so that a killed emulator has lost none, and prints the links that Firebase would send by mail.
 */
export async function watchEmulator(watch: Watch, signal: AbortSignal): Promise<void> {
  const looks = [exportWhenChanged(watch), printNewLinks(watch)];
  while (!signal.aborted) {
    try {
      for (const look of looks) await look();
    } catch (error) {
      if (!isUnavailable(error)) throw error;
    }
    await delay(EVERY_MS, undefined, { ref: false });
  }
}

function exportWhenChanged({ emulator, exportsDir }: Watch): () => Promise<void> {
  let exported = "";
  return async () => {
    const accounts = await readAccounts(emulator);
    if (accounts === exported) return;
    await exportAccounts(emulator, newExport(exportsDir));
    await keepNewestExport(exportsDir);
    exported = accounts;
  };
}

function printNewLinks({ emulator, publicBaseUrl }: Watch): () => Promise<void> {
  const printed = new Set<string>();
  return async () => {
    for (const { email, link } of await readPasswordResets(emulator)) {
      if (printed.has(link)) continue;
      printed.add(link);
      const { pathname, search } = new URL(link);
      console.log(`A new password for ${email}: ${publicBaseUrl}${pathname}${search}`);
    }
  };
}

/** fetch throws a TypeError where nobody answers. */
function isUnavailable(error: unknown): boolean {
  return error instanceof TypeError;
}
