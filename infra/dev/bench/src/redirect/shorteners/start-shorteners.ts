import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Settings } from "@tapthru/local/stack/settings";
import type { Stack } from "@tapthru/local/stack/stack";
import { UserFacingError } from "@tapthru/local/user-facing-error";
import type { Server } from "../compare.ts";
import { startChhotoUrl } from "./chhoto-url.ts";
import { startKutt } from "./kutt.ts";

/** Other link shorteners; null if not installed. */
export interface Shorteners {
  kutt: Server | null;
  chhotoUrl: Server | null;
}

/** Starts those that the environment names, on ports of programs that do not run here. */
export async function startShorteners(
  { ports, logsDir, dataDir }: Settings,
  databaseUrl: string,
  stack: Stack,
): Promise<Shorteners> {
  const kutt = installedAt("BENCH_KUTT_DIR");
  const chhotoUrl = installedAt("BENCH_CHHOTO_URL");
  const logFile = (name: string) => join(logsDir, `${name}.log`);
  const forKutt = {
    port: ports.EMULATOR_HUB_PORT,
    databaseUrl,
    redisPort: ports.REDIS_PORT,
    logFile: logFile("kutt"),
  };
  const forChhotoUrl = {
    port: ports.EMULATOR_LOGGING_PORT,
    folder: dataDir,
    logFile: logFile("chhoto-url"),
  };
  return {
    kutt: kutt === null ? null : await startKutt({ folder: kutt, ...forKutt }, stack),
    chhotoUrl:
      chhotoUrl === null
        ? null
        : await startChhotoUrl({ program: chhotoUrl, ...forChhotoUrl }, stack),
  };
}

function installedAt(variable: string): string | null {
  const path = process.env[variable];
  if (!path) return null;
  if (!existsSync(path)) throw new UserFacingError(`${variable}: ${path} does not exist.`);
  return path;
}
