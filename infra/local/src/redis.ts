import type { OpenLedger } from "./ledger.ts";
import { isPortOpen } from "./ports.ts";
import { launch, type RunningProcess, untilReady } from "./running-process.ts";

export interface RedisPlan {
  command: string;
  port: number;
  dataDir: string;
  logFile: string;
  /** Keeps every write on disk; without it nothing is kept. */
  durable: boolean;
}

export async function startRedis(
  plan: RedisPlan,
  ledger: OpenLedger,
  signal?: AbortSignal,
): Promise<RunningProcess> {
  const running = await launch(
    {
      name: "Redis",
      command: plan.command,
      args: redisArguments(plan),
      logFile: plan.logFile,
      stopSignal: "SIGTERM",
    },
    ledger,
  );
  await untilReady(running, () => isPortOpen(plan.port), signal);
  return running;
}

export function redisArguments({ port, dataDir, durable }: RedisPlan): string[] {
  return Object.entries({
    bind: "127.0.0.1",
    port: String(port),
    dir: dataDir,
    appendonly: durable ? "yes" : "no",
    save: "",
    "maxmemory-policy": "noeviction",
  }).flatMap(([name, value]) => [`--${name}`, value]);
}
