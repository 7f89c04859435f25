import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { freePort } from "@tapthru/core/platform/testing/free-port";
import { startTemporarily } from "../processes/start-temporarily.ts";
import { PROGRAMS } from "../stack/service-plans.ts";
import { CHECKOUT } from "../stack/settings.ts";

export interface ServiceProcess {
  url: string;
  /** Where its health and metrics are. */
  adminUrl: string;
  stop(): Promise<void>;
}

/**
 * Starts a program as in production, and waits until it runs. Amazon does not respond unless the settings name a
 * stand-in.
 * @param checkout the checkout whose program it is
 */
export async function startService(
  program: keyof typeof PROGRAMS,
  settings: NodeJS.ProcessEnv,
  checkout = CHECKOUT,
): Promise<ServiceProcess> {
  const [port, adminPort] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  return startTemporarily(async (folder, stack) => {
    const logFile = join(folder, `${program}.log`);
    await stack.start(
      {
        name: program,
        command: process.execPath,
        args: [join(checkout, PROGRAMS[program])],
        logFile,
        stopSignal: "SIGKILL",
        env: {
          TAPTHRU_ENV: "local",
          HOST: "127.0.0.1",
          PUBLIC_BASE_URL: url,
          PORT: String(port),
          ADMIN_PORT: String(adminPort),
          EGRESS_STAND_IN_URL: "http://127.0.0.1:1",
          OUTCOME_KEY: "only-for-tests-".repeat(3),
          SESSION_KEYS: "a-key-that-signs-the-cookies-of-tests",
          ENCRYPTION_KEYS: "a-key-that-encrypts-secrets-of-tests",
          ...settings,
        },
      },
      async () => (await readFile(logFile, "utf8")).includes("service_started"),
    );
    return { url, adminUrl: `http://127.0.0.1:${adminPort}` };
  });
}
