import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { freePort } from "@tapthru/core/platform/testing/free-port";
import { startTemporarily } from "../processes/start-temporarily.ts";

const FIREBASE_TOOLS = "firebase-tools@15.34.2";

/** Starts Firebase's emulator without accounts. The first time pnpm loads it (245 MB). */
export function startFirebaseEmulator(projectId: string) {
  return startTemporarily(async (folder, stack) => {
    const port = await freePort();
    const config = join(folder, "firebase.json");
    const auth = { host: "127.0.0.1", port };
    await writeFile(config, JSON.stringify({ emulators: { auth, ui: { enabled: false } } }));
    const logFile = join(folder, "emulator.log");
    await stack.start(
      {
        name: "Firebase emulator",
        command: "npx",
        args: [
          "--yes",
          "pnpm@10",
          "dlx",
          FIREBASE_TOOLS,
          "emulators:start",
          "--only=auth",
          `--project=${projectId}`,
          `--config=${config}`,
        ],
        cwd: folder,
        // It writes its settings to XDG_CONFIG_HOME, and the address of its hub, by project, to TMPDIR.
        env: { ...process.env, XDG_CONFIG_HOME: folder, TMPDIR: folder, CI: "1" },
        logFile,
        readyWithinMs: 600_000,
      },
      async () => (await readFile(logFile, "utf8")).includes("All emulators ready"),
    );
    return { host: `127.0.0.1:${port}` };
  });
}
