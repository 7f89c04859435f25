import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { freePort } from "@tapthru/runtime/testing/free-port";
import { CHECKOUT } from "../stack/settings.ts";

const PROGRAMS = {
  api: "api/src/main.ts",
  redirect: "redirect/src/main.ts",
  worker: "worker/src/main.ts",
  "region-relay": "worker/src/region/main.ts",
};

export interface ServiceProcess {
  url: string;
  /** Where its health and metrics are. */
  adminUrl: string;
  stop(): Promise<void>;
}

/**
 * Starts a program as in production, and waits until it runs. Only accounts are not real, and Amazon does not respond
 * unless the settings name a stand-in.
 */
export async function startService(
  program: keyof typeof PROGRAMS,
  settings: NodeJS.ProcessEnv,
): Promise<ServiceProcess> {
  const [port, adminPort] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, [join(CHECKOUT, "services", PROGRAMS[program])], {
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      ...{ TAPTHRU_ENV: "local", HOST: "127.0.0.1", PUBLIC_BASE_URL: url },
      ...{ PORT: String(port), ADMIN_PORT: String(adminPort) },
      EGRESS_STAND_IN_URL: "http://127.0.0.1:1",
      OUTCOME_KEY: "only-for-tests-".repeat(3),
      SESSION_KEYS: "a-key-that-signs-the-cookies-of-tests",
      FIREBASE_PROJECT_ID: "demo-tapthru",
      FIREBASE_AUTH_EMULATOR_HOST: process.env.TEST_FIREBASE_EMULATOR_HOST,
      ...settings,
    },
  });
  let output = "";
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    output += chunk;
    if (output.includes("service_started")) break;
  }
  if (!output.includes("service_started")) throw new Error(output);
  child.stdout.resume();
  return {
    url,
    adminUrl: `http://127.0.0.1:${adminPort}`,
    async stop() {
      const exited = once(child, "exit");
      child.kill("SIGKILL");
      await exited;
    },
  };
}
