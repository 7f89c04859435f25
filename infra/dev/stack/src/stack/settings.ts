import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type Config, readConfig } from "@tapthru/core/platform/config/configs";
import { parseEnv } from "@tapthru/core/platform/config/env";
import { SETTINGS } from "@tapthru/core/platform/config/settings";
import { origin, port } from "@tapthru/core/platform/config/values";
import * as z from "zod/mini";
import { inheritedEnvironment } from "./inherited-environment.ts";

export const CHECKOUT = resolve(fileURLToPath(new URL("../../../../..", import.meta.url)));
/** Programs downloaded for this checkout; all runs and tests share them. */
export const TOOLS_DIR = join(CHECKOUT, ".data", "tools");
/** Node's compile cache of this checkout; all runs and tests share it. */
export const COMPILE_CACHE_DIR = join(CHECKOUT, ".data", "compile-cache");

const PORTS = {
  PORT: z._default(port, 8080),
  TLS_PORT: z._default(port, 8444),
  API_PORT: z._default(port, 8081),
  API_ADMIN_PORT: z._default(port, 9081),
  REDIRECT_PORT: z._default(port, 8082),
  REDIRECT_ADMIN_PORT: z._default(port, 9082),
  WORKER_ADMIN_PORT: z._default(port, 9083),
  GATEWAY_ADMIN_PORT: z._default(port, 9084),
  GATEWAY_SYSLOG_PORT: z._default(port, 5514),
  POSTGRES_PORT: z._default(port, 15_432),
  REDIS_PORT: z._default(port, 16_379),
  STAND_IN_PORT: z._default(port, 8090),
  STAND_IN_TLS_PORT: z._default(port, 8443),
  VITE_PORT: z._default(port, 5173),
};

export type PortName = keyof typeof PORTS;
export const PORT_NAMES = Object.keys(PORTS) as PortName[];

const SCHEMA = z.object({
  ...PORTS,
  PUBLIC_BASE_URL: z.optional(origin),
  TLS: z._default(z.nullable(z.enum(["on", "off"], "must be on or off")), null),
  TAPTHRU_DATA_DIR: z._default(z.string(), ".data"),
  APP_OPENING_FILE: SETTINGS.APP_OPENING_FILE.schema,
});

export interface Settings {
  publicBaseUrl: string;
  dataDir: string;
  logsDir: string;
  /** Where the gateway's certificates are, if it serves https; it does by default unless the site's address is https. */
  certificatesDir: string | null;
  webDir: string;
  gatewayDir: string;
  /** Absolute path of a strategy table that replaces the built-in one. */
  appOpeningFile: string | null;
  /** The gateway's, as a container reads them. */
  gateway: Config<"gateway">;
  ports: Record<PortName, number>;
  /** The whole environment; each service inherits its settings from it. */
  environment: NodeJS.ProcessEnv;
}

/**
 * @throws EnvError with every invalid setting
 */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const { PUBLIC_BASE_URL, TLS, TAPTHRU_DATA_DIR, APP_OPENING_FILE, ...ports } = parseEnv(SCHEMA, {
    ...env,
    TAPTHRU_ENV: "local",
  });
  const dataDir = resolve(CHECKOUT, TAPTHRU_DATA_DIR);
  const publicBaseUrl = PUBLIC_BASE_URL ?? `http://localhost:${ports.PORT}`;
  // A proxy serves a site whose address is https, as before TLS was a setting.
  const tls = TLS ?? (publicBaseUrl.startsWith("https:") ? "off" : "on");
  const certificatesDir = join(dataDir, "certificates");
  const webDir = join(dataDir, "web");
  const appOpeningFile = APP_OPENING_FILE && resolve(APP_OPENING_FILE);
  return {
    publicBaseUrl,
    dataDir,
    logsDir: join(dataDir, "logs"),
    certificatesDir: tls === "on" ? certificatesDir : null,
    webDir,
    gatewayDir: join(dataDir, "gateway"),
    appOpeningFile,
    gateway: readConfig("gateway", {
      ...inheritedEnvironment("gateway", env),
      TAPTHRU_ENV: "local",
      PUBLIC_BASE_URL: publicBaseUrl,
      HOST: "127.0.0.1",
      PORT: String(ports.PORT),
      TLS: tls,
      TLS_PORT: String(ports.TLS_PORT),
      CERTIFICATES_DIR: certificatesDir,
      API_ADDRESS: `127.0.0.1:${ports.API_PORT}`,
      REDIRECT_ADDRESS: `127.0.0.1:${ports.REDIRECT_PORT}`,
      APP_OPENING_FILE: appOpeningFile ?? undefined,
      WEB_ROOT: webDir,
    }),
    ports,
    environment: env,
  };
}
