import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const CHECKOUT = fileURLToPath(new URL("../../..", import.meta.url)).replace(/\/$/, "");
/** Programs fetched for this checkout; every run, and every test, shares them. */
export const TOOLS_DIR = join(CHECKOUT, ".data", "tools");

/** Where the local stack listens and keeps its things; all of it can be moved by the environment. */
export interface Settings {
  dataDir: string;
  logsDir: string;
  publicBaseUrl: string;
  ports: Ports;
}

export type Ports = Record<keyof typeof DEFAULT_PORTS, number>;

/** The name is the setting's own: `PORT=9090 API_PORT=9091 …`. */
const DEFAULT_PORTS = {
  PORT: 8080,
  API_PORT: 8081,
  API_ADMIN_PORT: 9081,
  REDIRECT_PORT: 8082,
  REDIRECT_ADMIN_PORT: 9082,
  WORKER_ADMIN_PORT: 9083,
  POSTGRES_PORT: 15432,
  REDIS_PORT: 16379,
  STAND_IN_PORT: 8090,
  VITE_PORT: 5173,
};

export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const dataDir = resolve(CHECKOUT, env.TAPTHRU_DATA_DIR ?? ".data");
  const entries = Object.entries(DEFAULT_PORTS).map(([name, port]) => [
    name,
    Number(env[name] ?? port),
  ]);
  const ports = Object.fromEntries(entries) as Ports;
  return {
    dataDir,
    logsDir: join(dataDir, "logs"),
    publicBaseUrl: env.PUBLIC_BASE_URL ?? `http://localhost:${ports.PORT}`,
    ports,
  };
}
