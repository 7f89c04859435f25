import { join } from "node:path";
import { UserFacingError } from "@tapthru/core/platform/user-facing-error";
import { execa } from "execa";
import type { Stack } from "../processes/stack.ts";
import { respondsOverHttp } from "./http-health.ts";
import { CHECKOUT, type Settings } from "./settings.ts";

const WEB = join(CHECKOUT, "web");
const VITE = join(WEB, "node_modules", "vite", "bin", "vite.js");

/** Builds the SPA into the data folder, so that two runs in one checkout do not interfere. */
export async function buildWeb({ webDir }: Settings, cancelSignal: AbortSignal): Promise<void> {
  const { failed, all } = await execa(
    process.execPath,
    [VITE, "build", "--outDir", webDir, "--emptyOutDir", "--logLevel", "warn"],
    {
      cwd: WEB,
      env: { NODE_ENV: "production" },
      stdin: "ignore",
      all: true,
      reject: false,
      cancelSignal,
    },
  );
  cancelSignal.throwIfAborted();
  if (failed) throw new UserFacingError(`Failed to build the web application.\n${all}`);
}

/** Starts Vite, which compiles each file of the SPA on request. */
export async function startDevServer({ ports, logsDir }: Settings, stack: Stack): Promise<void> {
  await stack.start(
    {
      name: "Vite",
      command: process.execPath,
      args: [VITE, "--port", String(ports.VITE_PORT)],
      cwd: WEB,
      logFile: join(logsDir, "vite.log"),
    },
    () => respondsOverHttp(`http://127.0.0.1:${ports.VITE_PORT}/`),
  );
}
