import { join } from "node:path";
import { startTemporarily } from "../processes/start-temporarily.ts";
import { readSettings, type Settings } from "./settings.ts";
import { isolatedStackEnv, startWholeStack } from "./stack-process.ts";

interface TestStack {
  baseUrl: string;
  settings: Settings;
}

/** What the proxy in front of a site says about visitors, tests say themselves. */
const PROXY = { TRUSTED_PROXIES: "loopback", COUNTRY_HEADER: "cloudflare" };

/** The api offers the weekly email; no mail server responds. */
const MAIL = { SMTP_FROM: "mail@tapthru.example", SMTP_URL: "smtp://127.0.0.1:1" };

/** Runs `work` with a demo stack on free ports without rate limits, and removes the stack afterwards. */
export async function withTestStack<Result>(
  signal: AbortSignal,
  work: (testStack: TestStack) => Promise<Result>,
): Promise<Result> {
  const { settings, stop } = await startTemporarily(async (folder, stack) => {
    // All load comes from one address.
    const env = { ...(await isolatedStackEnv(folder)), RATE_LIMITS: "off", ...PROXY, ...MAIL };
    const logFile = join(folder, "start.log");
    await startWholeStack({ env, logFile, options: ["--demo"] }, stack);
    return { settings: readSettings(env) };
  }, signal);
  try {
    return await work({ baseUrl: settings.publicBaseUrl, settings });
  } finally {
    await stop();
  }
}
