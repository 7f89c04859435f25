import { readFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "@tapthru/core/platform/testing/free-port";
import { UserFacingError } from "@tapthru/core/platform/user-facing-error";
import type { Stack } from "../processes/stack.ts";
import { startTemporarily } from "../processes/start-temporarily.ts";
import { withoutSettings } from "./inherited-environment.ts";
import { CHECKOUT, PORT_NAMES, readSettings, type Settings } from "./settings.ts";

/** Tests say themselves what the proxy in front of a site says about visitors. */
const PROXY = { TRUSTED_PROXIES: "loopback", COUNTRY_HEADER: "cloudflare" };

/**
 * Runs `work` with a demo stack on free ports without rate limits, and removes the stack afterwards.
 * @throws UserFacingError if a process of the stack ended by itself
 */
export async function withTestStack<Result>(
  signal: AbortSignal,
  work: (testStack: { baseUrl: string; settings: Settings }) => Promise<Result>,
): Promise<Result> {
  const { settings, logFile, stop } = await startTemporarily(async (folder, stack) => {
    // All load comes from one address.
    const env = { ...(await isolatedStackEnv(folder)), RATE_LIMITS: "off", ...PROXY };
    const logFile = join(folder, "start.log");
    await startWholeStack({ env, logFile, options: ["--demo"] }, stack);
    return { settings: readSettings(env), logFile };
  }, signal);
  try {
    const result = await work({ baseUrl: settings.publicBaseUrl, settings });
    const [restarted] = /^.+ It is started again[.]/m.exec(readFileSync(logFile, "utf8")) ?? [];
    if (restarted !== undefined) throw new UserFacingError(restarted);
    return result;
  } finally {
    await stop();
  }
}

/** The environment of a stack with default settings, free ports and this data folder. */
export async function isolatedStackEnv(dataDir: string): Promise<NodeJS.ProcessEnv> {
  const ports = await Promise.all(PORT_NAMES.map(async (name) => [name, String(await freePort())]));
  return {
    // Tests create accounts and empty databases, so they must not use a Firebase project or Redis from the shell's
    // environment.
    ...withoutSettings(process.env),
    TAPTHRU_DATA_DIR: dataDir,
    ...Object.fromEntries(ports),
  };
}

/** Runs `start` as a process of the stack, and waits until it prints its address. */
export async function startWholeStack(
  { env, logFile, options = [] }: { env: NodeJS.ProcessEnv; logFile: string; options?: string[] },
  stack: Stack,
): Promise<void> {
  const plan = {
    name: "start",
    command: process.execPath,
    args: [join(CHECKOUT, "infra", "dev", "stack", "src", "commands", "start.ts"), ...options],
    cwd: CHECKOUT,
    env,
    logFile,
    readyWithinMs: 300_000,
    stopWithinMs: 120_000,
  };
  await stack.start(plan, async () => /^Tapthru runs on /m.test(readFileSync(logFile, "utf8")));
}
