import { join } from "node:path";
import { printError } from "@tapthru/runtime/user-facing-error";
import type { Stack } from "../processes/stack.ts";
import { EMULATED_PROJECT } from "../stack/identity.ts";
import type { Settings } from "../stack/settings.ts";
import { startEmulator } from "./emulator.ts";
import { installFirebase } from "./firebase-tools.ts";
import { watchEmulator } from "./watch-emulator.ts";

/** Installs the emulator if it is missing, starts it with the accounts of the data folder, and exports them until the signal. */
export async function startLocalEmulator(
  settings: Settings,
  stack: Stack,
  signal: AbortSignal,
): Promise<void> {
  const { publicBaseUrl, ports, logsDir, dataDir } = settings;
  await installFirebase(signal);
  const emulator = {
    projectId: EMULATED_PROJECT,
    port: ports.EMULATOR_PORT,
    hubPort: ports.EMULATOR_HUB_PORT,
  };
  const exportsDir = join(dataDir, "emulator", "exports");
  await startEmulator(
    {
      ...emulator,
      loggingPort: ports.EMULATOR_LOGGING_PORT,
      homeDir: join(dataDir, "emulator", "home"),
      exportsDir,
      logFile: join(logsDir, "emulator.log"),
      isOptional: true,
    },
    stack,
  );
  watchEmulator({ emulator, exportsDir, publicBaseUrl }, signal).catch(printError);
}
