import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ADS_CLIENT } from "@tapthru/amazon-stand-in/login-with-amazon";
import { nginxArguments, renderGateway } from "@tapthru/gateway/render";
import { gatewaySettings } from "@tapthru/gateway/settings";
import { PRERENDERED_PAGES } from "@tapthru/proto/rules/paths";
import type { Stack } from "../processes/stack.ts";
import { respondsOverHttp } from "../stack/http-health.ts";
import type { Settings } from "../stack/settings.ts";

interface GatewayPlan {
  nginx: string;
  isDev: boolean;
  /** True if the services use the stand-in for Amazon. */
  isDemo?: boolean;
  /** Replicas of each service, as "host:port"; by default those of `settings`. */
  replicas?: { api: readonly string[]; redirect: readonly string[] };
}

/**
 * Starts nginx in front of the services.
 * @returns when pages, the api and the redirect respond through it
 */
export async function startGateway(
  settings: Settings,
  { nginx, isDev, isDemo = false, replicas }: GatewayPlan,
  stack: Stack,
): Promise<void> {
  const { ports, gatewayDir } = settings;
  const runDirectory = join(gatewayDir, "run");
  const { stderr: nginxVersion } = spawnSync(nginx, ["-v"], { encoding: "utf8" });
  await renderGateway(
    gatewaySettings(settings.gateway, {
      nginxVersion,
      ...replicas,
      ...(isDemo && { AMAZON_ADS_CLIENT_ID: ADS_CLIENT.id }),
      ...(isDev && { devServer: `127.0.0.1:${ports.VITE_PORT}` }),
      nameServers: null,
      runDirectory,
      accessLog: join(settings.logsDir, "access.log"),
      metricsAddress: `127.0.0.1:${ports.GATEWAY_SYSLOG_PORT}`,
      runAsRoot: process.getuid?.() === 0,
    }),
    gatewayDir,
  );
  // nginx writes it once it listens: until then another program may respond on the port.
  const pidFile = join(runDirectory, "nginx.pid");
  await rm(pidFile, { force: true });
  const base = `http://127.0.0.1:${ports.PORT}`;
  const urls = [`${base}/`, `${base}/api/`, `${base}/l/0000000`];
  await stack.start(
    {
      name: "gateway",
      command: nginx,
      args: nginxArguments(gatewayDir),
      logFile: join(settings.logsDir, "gateway.log"),
      // SIGQUIT finishes started responses, but also waits for the dev server's open websockets.
      stopSignal: isDev ? "SIGTERM" : "SIGQUIT",
    },
    async () => existsSync(pidFile) && (await Promise.all(urls.map((url) => respondsOverHttp(url)))).every(Boolean),
  );
}

/** Writes the pages that a gateway needs to start, without content, for runs that need no web app. */
export async function writeEmptyWebApp(webDir: string): Promise<void> {
  await mkdir(webDir);
  for (const name of ["index.html", ...Object.values(PRERENDERED_PAGES)])
    await writeFile(join(webDir, name), "<!doctype html><title>Tapthru</title>");
}
