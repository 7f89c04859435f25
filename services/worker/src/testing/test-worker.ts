import { type ChildProcess, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export const TEST_WEBHOOK_KEY = "a-key-that-seals-webhook-secrets-of-tests";

interface Servers {
  databaseUrl: string;
  redisUrl: string;
  storeUrl: string;
  mailUrl?: string;
  /** Maximum size of the heap. */
  heapMb?: number;
}

export async function startWorker(servers: Servers): Promise<ChildProcess> {
  const main = fileURLToPath(new URL("../main.ts", import.meta.url));
  const heapLimit = servers.heapMb === undefined ? [] : [`--max-old-space-size=${servers.heapMb}`];
  const worker = spawn(process.execPath, [...heapLimit, main], {
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      TAPTHRU_ENV: "local",
      // Below the ephemeral port range: the system assigns those ports to outgoing connections.
      ADMIN_PORT: String(randomInt(10_000, 32_768)),
      DATABASE_URL: servers.databaseUrl,
      REDIS_CACHE_URL: servers.redisUrl,
      REDIS_QUEUE_URL: servers.redisUrl,
      EGRESS_STAND_IN_URL: servers.storeUrl,
      WEBHOOK_KEYS: TEST_WEBHOOK_KEY,
      ...(servers.mailUrl && { SMTP_URL: servers.mailUrl, SMTP_FROM: "mail@tapthru.example" }),
    },
  });
  const [line] = await once(worker.stdout, "data");
  if (!String(line).includes("worker started")) throw new Error(String(line));
  worker.stdout.resume();
  return worker;
}

/** @returns the exit code; null when it was killed */
export async function stopWorker(worker: ChildProcess, signal: "SIGTERM" | "SIGKILL"): Promise<number | null> {
  if (worker.exitCode !== null || worker.signalCode !== null) return worker.exitCode;
  const exited = once(worker, "exit");
  worker.kill(signal);
  await exited;
  return worker.exitCode;
}
