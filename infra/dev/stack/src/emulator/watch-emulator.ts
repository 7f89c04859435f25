import { setTimeout as delay } from "node:timers/promises";
import {
  type EmulatorAddress,
  exportAccounts,
  readAccounts,
  readPasswordResets,
} from "./emulator-calls.ts";
import { keepNewestExport, newExportFolder } from "./emulator-exports.ts";

const INTERVAL_MS = 1_000;

interface Watch {
  emulator: EmulatorAddress;
  exportsDir: string;
  publicBaseUrl: string;
}

/**
 * Until the signal, exports the accounts soon after each change, so that a killed emulator
 * loses none, and prints the links that Firebase would send by mail.
 */
export async function watchEmulator(watch: Watch, signal: AbortSignal): Promise<void> {
  const tasks = [exportWhenChanged(watch), printNewLinks(watch)];
  while (!signal.aborted) {
    try {
      for (const task of tasks) await task();
    } catch (error) {
      if (!isUnavailable(error)) throw error;
    }
    await delay(INTERVAL_MS, undefined, { ref: false });
  }
}

function exportWhenChanged({ emulator, exportsDir }: Watch): () => Promise<void> {
  let exported = "";
  return async () => {
    const accounts = await readAccounts(emulator);
    if (accounts === exported) return;
    await exportAccounts(emulator, newExportFolder(exportsDir));
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
      console.log(`Password reset link for ${email}: ${publicBaseUrl}${pathname}${search}`);
    }
  };
}

/** Node's fetch throws a TypeError with one of these messages when a connection fails or ends early. */
function isUnavailable(error: unknown): boolean {
  return error instanceof TypeError && /^(fetch failed|terminated)$/.test(error.message);
}
