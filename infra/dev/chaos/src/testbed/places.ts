import { readSettings, type Settings } from "@tapthru/local/stack/settings";
import { freeStackEnv } from "@tapthru/local/stack/stack-process";
import type { TestRun } from "@tapthru/local/test-servers/test-run";

/** Where everything of a testbed listens: free ports all. */
export interface Places {
  /** Of the first replica of each service, and of what there is only once. */
  first: Settings;
  /** Of the second replica of each service. */
  second: Settings;
  cachePort: number;
  queuePort: number;
}

export async function choosePlaces({ folder }: TestRun): Promise<Places> {
  // All load comes from one address.
  const first = readSettings({ ...(await freeStackEnv(folder)), RATE_LIMITS: "off" });
  const others = readSettings(await freeStackEnv(folder));
  const { POSTGRES_PORT, REDIS_PORT: cachePort } = first.ports;
  const queuePort = others.ports.REDIS_PORT;
  const second = { ...first, ports: { ...others.ports, POSTGRES_PORT } };
  return { first, second, cachePort, queuePort };
}

/** Where a replica of the redirect or the api serves, and where it tells of itself. */
export interface Doors {
  origin: string;
  adminPort: number;
}

/** Of both replicas. */
export function redirectDoors({ first, second }: Places): [Doors, Doors] {
  return [doors(first, "REDIRECT"), doors(second, "REDIRECT")];
}

export function apiDoors({ first, second }: Places): [Doors, Doors] {
  return [doors(first, "API"), doors(second, "API")];
}

function doors({ ports }: Settings, service: "REDIRECT" | "API"): Doors {
  return {
    origin: `http://127.0.0.1:${ports[`${service}_PORT`]}`,
    adminPort: ports[`${service}_ADMIN_PORT`],
  };
}
