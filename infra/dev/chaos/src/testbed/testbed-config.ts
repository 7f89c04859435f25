import { readSettings, type Settings } from "@tapthru/local/stack/settings";
import { isolatedStackEnv } from "@tapthru/local/stack/stack-process";
import type { TestRun } from "@tapthru/local/test-servers/test-run";

/** Settings and ports of a testbed; all ports are free. */
export interface TestbedConfig {
  /** The first replica of each service, and everything that exists once. */
  first: Settings;
  /** The second replica of each service. */
  second: Settings;
  cachePort: number;
  queuePort: number;
}

export async function createTestbedConfig({ folder }: TestRun): Promise<TestbedConfig> {
  // All load comes from one address.
  const first = readSettings({ ...(await isolatedStackEnv(folder)), RATE_LIMITS: "off" });
  const others = readSettings(await isolatedStackEnv(folder));
  const { POSTGRES_PORT, REDIS_PORT: cachePort } = first.ports;
  const queuePort = others.ports.REDIS_PORT;
  const second = { ...first, ports: { ...others.ports, POSTGRES_PORT } };
  return { first, second, cachePort, queuePort };
}

export type ReplicaName = `${"api" | "redirect" | "worker"}-${1 | 2}`;

export function adminPort({ first, second }: TestbedConfig, name: ReplicaName): number {
  const { ports } = name.endsWith("1") ? first : second;
  const [service] = name.toUpperCase().split("-") as ["API" | "REDIRECT" | "WORKER"];
  return ports[`${service}_ADMIN_PORT`];
}

/** The public and the admin address of a redirect or api replica. */
export interface ReplicaEndpoint {
  origin: string;
  adminPort: number;
}

export function redirectEndpoints({
  first,
  second,
}: Pick<TestbedConfig, "first" | "second">): [ReplicaEndpoint, ReplicaEndpoint] {
  return [redirectEndpoint(first), redirectEndpoint(second)];
}

export function redirectEndpoint(settings: Settings): ReplicaEndpoint {
  return endpoints(settings, "REDIRECT");
}

export function apiEndpoints({ first, second }: TestbedConfig): [ReplicaEndpoint, ReplicaEndpoint] {
  return [endpoints(first, "API"), endpoints(second, "API")];
}

function endpoints({ ports }: Settings, service: "REDIRECT" | "API"): ReplicaEndpoint {
  return {
    origin: `http://127.0.0.1:${ports[`${service}_PORT`]}`,
    adminPort: ports[`${service}_ADMIN_PORT`],
  };
}
