import { setTimeout as delay } from "node:timers/promises";
import * as z from "zod/mini";
import { callEmulator, type EmulatorAddress } from "./call-emulator.ts";
import { exportAccounts } from "./exports.ts";

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
  const path = `/identitytoolkit.googleapis.com/v1/projects/${emulator.projectId}/accounts:batchGet`;
  let exported = "";
  return async () => {
    const found = await callEmulator(emulator.port, "GET", `${path}?maxResults=-1`);
    const accounts = JSON.stringify(found);
    if (accounts === exported) return;
    await exportAccounts(emulator, exportsDir);
    exported = accounts;
  };
}

const OobCodes = z.object({
  oobCodes: z.array(z.object({ requestType: z.string(), email: z.string(), oobLink: z.string() })),
});

function printNewLinks({ emulator, publicBaseUrl }: Watch): () => Promise<void> {
  const path = `/emulator/v1/projects/${emulator.projectId}/oobCodes`;
  const printed = new Set<string>();
  return async () => {
    const { oobCodes } = OobCodes.parse(await callEmulator(emulator.port, "GET", path));
    for (const { requestType, email, oobLink } of oobCodes) {
      if (requestType !== "PASSWORD_RESET" || printed.has(oobLink)) continue;
      printed.add(oobLink);
      const { pathname, search } = new URL(oobLink);
      console.log(`Password reset link for ${email}: ${publicBaseUrl}${pathname}${search}`);
    }
  };
}

/** Node's fetch throws a TypeError with one of these messages when a connection fails or ends early. */
function isUnavailable(error: unknown): boolean {
  return error instanceof TypeError && /^(fetch failed|terminated)$/.test(error.message);
}
