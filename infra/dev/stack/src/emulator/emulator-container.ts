import { mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DEMO_ACCOUNTS_WARNING } from "../demo-accounts-warning.ts";
import { claimLedger, ledgerFile } from "../processes/process-ledger.ts";
import { watchInterruption } from "../stack/interruption.ts";
import { createStack } from "../stack/stack.ts";
import { startEmulator } from "./emulator.ts";
import { watchEmulator } from "./watch-emulator.ts";

/** Runs in the demo's container of the Firebase emulator; the accounts are in /data. */
const emulator = { projectId: "demo-tapthru", port: 9099, hubPort: 4400 };
const dataDir = "/data";
const exportsDir = join(dataDir, "exports");
const runDir = join(tmpdir(), "emulator");
mkdirSync(runDir, { recursive: true });

const interruption = watchInterruption();
const stack = createStack(await claimLedger(ledgerFile(runDir)), interruption);
await startEmulator(
  {
    ...emulator,
    host: "0.0.0.0",
    loggingPort: 4500,
    homeDir: join(dataDir, "home"),
    exportsDir,
    logFile: join(runDir, "emulator.log"),
  },
  stack,
);
console.log(`The Firebase emulator is ready. ${DEMO_ACCOUNTS_WARNING}`);
const publicBaseUrl = process.env.PUBLIC_BASE_URL ?? "http://localhost:8080";
const died = await Promise.race([
  watchEmulator({ emulator, exportsDir, publicBaseUrl }, interruption),
  stack.died,
]);
if (died !== undefined) console.error(died);
await stack.stop();
process.exitCode = died === undefined ? 0 : 1;
