import { readFileSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Stack } from "../processes/stack.ts";
import { callEmulator, type EmulatorAddress } from "./call-emulator.ts";
import { exportAccounts, keepNewestExport } from "./exports.ts";
import { FIREBASE } from "./firebase-tools.ts";

/** The emulator accepts unsigned tokens; the gateway blocks only the simplest ways to use them. */
export const DEMO_ACCOUNTS_WARNING =
  "Accounts of the Firebase emulator are not protected: keep this site unreachable from other machines.";

interface EmulatorPlan extends EmulatorAddress {
  loggingPort: number;
  /** The emulator's home directory, emptied at each start. */
  homeDir: string;
  /** Keeps the accounts between runs; null drops them. */
  exportsDir: string | null;
  logFile: string;
  /** The stack keeps running when the emulator ends. */
  isOptional?: boolean;
}

/** Starts the emulator of Firebase Auth with the accounts of its last export. */
export async function startEmulator(plan: EmulatorPlan, stack: Stack): Promise<void> {
  const { projectId, port, homeDir, exportsDir, logFile, isOptional = false } = plan;
  await rm(homeDir, { recursive: true, force: true });
  await mkdir(homeDir, { recursive: true, mode: 0o700 });
  const configFile = join(homeDir, "firebase.json");
  await writeFile(configFile, JSON.stringify(emulatorConfig(plan)));
  if (exportsDir !== null) await mkdir(exportsDir, { recursive: true, mode: 0o700 });
  const latest = exportsDir && (await keepNewestExport(exportsDir));

  await stack.start(
    {
      name: "Firebase emulator",
      command: process.execPath,
      args: [
        ...[FIREBASE, "emulators:start", "--only=auth"],
        ...[`--project=${projectId}`, `--config=${configFile}`],
        ...(latest ? [`--import=${latest}`] : []),
      ],
      cwd: homeDir,
      // It writes files to HOME, and the address of its hub, by project, to TMPDIR.
      env: {
        PATH: process.env.PATH,
        HOME: homeDir,
        TMPDIR: homeDir,
        CI: "1",
        NO_UPDATE_NOTIFIER: "1",
      },
      logFile,
      isOptional,
      ...(exportsDir && { beforeStop: () => exportAccounts(plan, exportsDir) }),
    },
    // The port responds before the accounts are imported.
    async () => readFileSync(logFile, "utf8").includes("All emulators ready"),
  );
  // The default of new projects: a wrong password and an unknown email get the same error.
  await callEmulator(port, "PATCH", `/emulator/v1/projects/${projectId}/config`, {
    emailPrivacyConfig: { enableImprovedEmailPrivacy: true },
  });
}

function emulatorConfig({ port, hubPort, loggingPort }: EmulatorPlan) {
  const onLoopback = (listenPort: number) => ({ host: "127.0.0.1", port: listenPort });
  return {
    emulators: {
      auth: onLoopback(port),
      hub: onLoopback(hubPort),
      logging: onLoopback(loggingPort),
      ui: { enabled: false },
      singleProjectMode: true,
    },
  };
}
