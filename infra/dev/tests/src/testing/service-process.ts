import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { freePort } from "@tapthru/runtime/testing/free-port";

interface ServiceProcess {
  /** Where it listens. */
  url: string;
  stop(): Promise<void>;
}

/** Starts a service as in production, with these settings, and waits until it listens. */
export async function startService(
  name: "api" | "redirect",
  settings: NodeJS.ProcessEnv,
): Promise<ServiceProcess> {
  const [port, adminPort] = [await freePort(), await freePort()];
  const main = fileURLToPath(import.meta.resolve(`@tapthru/${name}/main`));
  const child = spawn(process.execPath, [main], {
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      ...{ TAPTHRU_ENV: "local", HOST: "127.0.0.1" },
      ...{ PORT: String(port), ADMIN_PORT: String(adminPort) },
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
    url: `http://127.0.0.1:${port}`,
    async stop() {
      const exited = once(child, "exit");
      child.kill("SIGKILL");
      await exited;
    },
  };
}
