import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { claimLedger, ledgerFile, type OpenLedger } from "../processes/process-ledger.ts";
import { readFlags } from "../read-flags.ts";
import { printError, UserFacingError } from "../user-facing-error.ts";
import { unusedSettings } from "./inherited-environment.ts";
import { watchInterruption } from "./interruption.ts";
import { readSettings, type Settings } from "./settings.ts";
import { createStack } from "./stack.ts";
import { type StackMode, startAll } from "./start-all.ts";

/** Runs the whole stack until it is interrupted or a required process ends. */
export async function runStack({ isDev, args }: { isDev: boolean; args: readonly string[] }) {
  try {
    const mode = { isDev, isDemo: readFlags(args, ["demo"]).demo };
    const settings = readSettings(process.env);
    const unused = unusedSettings(process.env);
    if (unused.length > 0) console.log(`Ignored, because start sets them: ${unused.join(", ")}`);
    mkdirSync(settings.dataDir, { recursive: true });
    chmodSync(settings.dataDir, 0o700);
    const ledger = await claimLedger(ledgerFile(settings.dataDir));
    await runWith(ledger, settings, mode);
    ledger.close();
  } catch (error) {
    fail(error);
  }
}

async function runWith(ledger: OpenLedger, settings: Settings, mode: StackMode): Promise<void> {
  const pidFile = join(settings.dataDir, "start.pid");
  writeFileSync(pidFile, String(process.pid));
  const interruption = watchInterruption();
  const stack = createStack(ledger, interruption);
  process.once("exit", stack.kill);
  try {
    await startAll(settings, mode, stack, interruption);
    const died = await Promise.race([stack.died, aborted(interruption)]);
    if (died !== null) throw new UserFacingError(died);
  } catch (error) {
    if (!interruption.aborted) fail(error);
  }
  if (interruption.aborted) console.log("Stopping …");
  await stack.stop();
  rmSync(pidFile);
}

function fail(error: unknown): void {
  printError(error);
  process.exitCode = 1;
}

function aborted(signal: AbortSignal): Promise<null> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(null);
    signal.addEventListener("abort", () => resolve(null), { once: true });
  });
}
