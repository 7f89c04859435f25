import { readFileSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Stack } from "../stack/stack.ts";
import { type EmulatorAddress, enableEmailEnumerationProtection } from "./emulator-calls.ts";
import { exitExportFolder, lastExport, markComplete } from "./emulator-exports.ts";

const require = createRequire(import.meta.url);
const FIREBASE = require.resolve("firebase-tools/lib/bin/firebase.js");

export interface EmulatorPlan extends EmulatorAddress {
  /** Address to listen on; by default 127.0.0.1. */
  host?: string;
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
  const { homeDir, exportsDir, logFile } = plan;
  const importing = exportsDir === null ? [] : await importArguments(homeDir, exportsDir);
  await rm(homeDir, { recursive: true, force: true });
  await mkdir(homeDir, { recursive: true, mode: 0o700 });
  const configFile = join(homeDir, "firebase.json");
  await writeFile(configFile, JSON.stringify(emulatorConfig(plan)));

  await stack.start(
    {
      name: "Firebase emulator",
      command: process.execPath,
      args: [
        ...[FIREBASE, "emulators:start", "--only=auth"],
        ...[`--project=${plan.projectId}`, `--config=${configFile}`],
        ...importing,
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
      isOptional: plan.isOptional ?? false,
    },
    // The port responds before the accounts are imported.
    async () => readFileSync(logFile, "utf8").includes("All emulators ready"),
  );
  markComplete(homeDir);
  await enableEmailEnumerationProtection(plan);
}

function emulatorConfig({ host = "127.0.0.1", port, hubPort, loggingPort }: EmulatorPlan) {
  const onLoopback = (listenPort: number) => ({ host: "127.0.0.1", port: listenPort });
  return {
    emulators: {
      auth: { host, port },
      hub: onLoopback(hubPort),
      logging: onLoopback(loggingPort),
      ui: { enabled: false },
      singleProjectMode: true,
    },
  };
}

async function importArguments(homeDir: string, exportsDir: string): Promise<string[]> {
  await mkdir(exportsDir, { recursive: true, mode: 0o700 });
  const latest = await lastExport(homeDir, exportsDir);
  return [
    ...(latest === null ? [] : [`--import=${latest}`]),
    `--export-on-exit=${exitExportFolder(homeDir)}`,
  ];
}
