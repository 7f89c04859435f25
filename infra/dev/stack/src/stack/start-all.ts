import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { DEMO_ACCOUNTS_WARNING } from "../demo-accounts-warning.ts";
import { startLocalEmulator } from "../emulator/local-emulator.ts";
import { startGatewayMetrics } from "../gateway-metrics.ts";
import { findServerPrograms } from "../programs/find-programs.ts";
import { startDatabase } from "../servers/database.ts";
import { startGateway } from "../servers/gateway.ts";
import { startRedis } from "../servers/redis.ts";
import { respondsOverHttp } from "./http-health.ts";
import { type NeededPort, requireFreePorts } from "./ports.ts";
import { redirectReplicasOf } from "./redirect-replicas.ts";
import { servicePlans } from "./service-plans.ts";
import type { PortName, Settings } from "./settings.ts";
import type { Stack } from "./stack.ts";
import { createDemoLinks, startStandIn } from "./stand-in.ts";
import { step } from "./step.ts";
import { buildWeb, startDevServer } from "./web.ts";

export interface StackMode {
  /** Services and SPA reload when their files change. */
  isDev: boolean;
  /** Starts the Amazon stand-in and creates example links. */
  isDemo: boolean;
}

/** Starts all processes in order, then prints the address. */
export async function startAll(
  settings: Settings,
  mode: StackMode,
  stack: Stack,
  interruption: AbortSignal,
): Promise<void> {
  const hasEmulator = settings.identity.emulatorHost !== null;
  await requireFreePorts(neededPorts(settings, mode, hasEmulator));
  await rm(settings.logsDir, { recursive: true, force: true });
  await mkdir(settings.logsDir);

  const { redisServer, nginx } = await findServerPrograms();

  const secrets = await step("Postgres", () => startDatabase(settings, stack));
  await step("Redis", () => startLocalRedis(settings, redisServer, stack));
  await Promise.all([
    mode.isDev
      ? step("Vite", () => startDevServer(settings, stack))
      : step("web application", () => buildWeb(settings, interruption)),
    hasEmulator &&
      step("Firebase emulator", () => startLocalEmulator(settings, stack, interruption)),
  ]);
  const standInUrl = mode.isDemo
    ? await step("stand-in", () => startStandIn(settings, stack))
    : null;
  for (const plan of servicePlans(settings, secrets, { watch: mode.isDev, standInUrl })) {
    const isReady = () => respondsOverHttp(plan.readyUrl, 200);
    await step(plan.process.name, () => stack.start(plan.process, isReady));
  }
  await step("gateway metrics", () => startGatewayMetrics(settings, stack));
  await step("gateway", () => startGateway(settings, { nginx, isDev: mode.isDev }, stack));

  if (mode.isDemo) for (const line of await createDemoLinks(settings)) console.log(line);
  if (hasEmulator) console.log(`\n${DEMO_ACCOUNTS_WARNING}`);
  console.log(`\nTapthru runs on ${settings.publicBaseUrl} (Ctrl-C stops it)`);
}

function neededPorts(
  settings: Settings,
  { isDev, isDemo }: StackMode,
  hasEmulator: boolean,
): NeededPort[] {
  const names: PortName[] = [
    "PORT",
    "API_PORT",
    "API_ADMIN_PORT",
    "WORKER_ADMIN_PORT",
    "GATEWAY_ADMIN_PORT",
    "GATEWAY_SYSLOG_PORT",
    "POSTGRES_PORT",
    "REDIS_PORT",
    ...(hasEmulator
      ? (["EMULATOR_PORT", "EMULATOR_HUB_PORT", "EMULATOR_LOGGING_PORT"] as const)
      : []),
    ...(isDemo ? (["STAND_IN_PORT", "STAND_IN_TLS_PORT"] as const) : []),
    ...(isDev ? (["VITE_PORT"] as const) : []),
  ];
  return [
    ...names.map((setting) => ({ setting, port: settings.ports[setting] })),
    ...redirectReplicasOf(settings).flatMap(({ port, adminPort }) => [
      { setting: "REDIRECT_PORT", port },
      { setting: "REDIRECT_ADMIN_PORT", port: adminPort },
    ]),
  ];
}

async function startLocalRedis(settings: Settings, command: string, stack: Stack): Promise<void> {
  const dataDir = join(settings.dataDir, "redis");
  await mkdir(dataDir, { recursive: true });
  const logFile = join(settings.logsDir, "redis.log");
  await startRedis(
    { name: "Redis", command, port: settings.ports.REDIS_PORT, dataDir, logFile, durable: true },
    stack,
  );
}
