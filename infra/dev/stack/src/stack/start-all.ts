import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { demoLoginMessage, ensureDemoAccount } from "@tapthru/postgres/demo/account";
import { firstAccountMessage } from "@tapthru/postgres/operator-link";
import { seed } from "@tapthru/postgres/seed";
import type { Stack } from "../processes/stack.ts";
import { findServerPrograms } from "../programs/find-programs.ts";
import { localDatabaseUrl, startDatabase } from "../servers/database.ts";
import { startCertificates, startGateway, startGatewayMetrics } from "../servers/gateway.ts";
import { emailsFile, startMailServer } from "../servers/mail-server.ts";
import { startRedis } from "../servers/redis.ts";
import { respondsOverHttp } from "./http-health.ts";
import { requireFreePorts } from "./ports.ts";
import { servicePlans } from "./service-plans.ts";
import type { Settings } from "./settings.ts";
import { createDemoLinks, startStandIn } from "./stand-in.ts";
import { step } from "./step.ts";
import { buildWeb, startDevServer } from "./web.ts";

export interface StackMode {
  /** Services and SPA reload when their files change. */
  isDev: boolean;
  /** Starts the Amazon stand-in and creates example links. */
  isDemo: boolean;
}

/** @returns what to say about it; the stack may be configured such that no one can sign up */
async function addDemoAccount(settings: Settings): Promise<string> {
  try {
    const { publicBaseUrl } = settings;
    await seed(localDatabaseUrl(settings), publicBaseUrl, await ensureDemoAccount(publicBaseUrl));
    return demoLoginMessage;
  } catch (error) {
    return `There is no demo account: ${error instanceof Error ? error.message : error}`;
  }
}

const STAND_IN_PORTS = ["STAND_IN_PORT", "STAND_IN_TLS_PORT"] as const;
const TLS_PORTS = ["TLS_PORT"] as const;
const DEV_PORTS = ["VITE_PORT"] as const;

/** Starts all processes in order, then prints the address. */
export async function startAll(
  settings: Settings,
  mode: StackMode,
  stack: Stack,
  interruption: AbortSignal,
): Promise<void> {
  await requireFreePorts(settings, [
    ...(mode.isDemo ? [] : STAND_IN_PORTS),
    ...(mode.isDev ? [] : DEV_PORTS),
    ...(settings.certificatesDir === null ? TLS_PORTS : []),
  ]);
  await rm(settings.logsDir, { recursive: true, force: true });
  await mkdir(settings.logsDir);

  const { redisServer, nginx } = await findServerPrograms();

  const secrets = await step("Postgres", () => startDatabase(settings, stack));
  const redis = {
    name: "Redis",
    command: redisServer,
    port: settings.ports.REDIS_PORT,
    dataDir: join(settings.dataDir, "redis"),
    logFile: join(settings.logsDir, "redis.log"),
    durable: true,
  };
  await step("Redis", () => startRedis(redis, stack));
  if (mode.isDev) await step("Vite", () => startDevServer(settings, stack));
  else await step("web application", () => buildWeb(settings, interruption));
  const standInUrl = mode.isDemo ? await step("stand-in", () => startStandIn(settings, stack)) : null;
  const { SMTP_URL, SMTP_URL_FILE } = settings.environment;
  const printsEmails = !SMTP_URL && !SMTP_URL_FILE;
  const smtpUrl = printsEmails ? await startMailServer(emailsFile(settings)) : null;
  for (const plan of servicePlans(settings, secrets, { watch: mode.isDev, standInUrl, smtpUrl })) {
    const isReady = () => respondsOverHttp(plan.readyUrl, 200);
    await step(plan.process.name, () => stack.start(plan.process, isReady));
  }
  const { certificatesDir } = settings;
  if (certificatesDir !== null) {
    await step("certificates", () => startCertificates(settings, certificatesDir, secrets, stack));
  }
  await step("gateway metrics", () => startGatewayMetrics(settings, stack));
  await step("gateway", () => startGateway(settings, { nginx, ...mode }, stack));

  if (mode.isDemo) for (const line of await createDemoLinks(settings)) console.log(line);
  const message = await firstAccountMessage(localDatabaseUrl(settings), settings.publicBaseUrl);
  if (message !== null) console.log(`\n${message}`);
  if (mode.isDemo) console.log(`\n${await addDemoAccount(settings)}`);
  if (printsEmails) console.log("\nWithout SMTP_URL, emails are printed here.");
  console.log(`\nTapthru runs on ${settings.publicBaseUrl} (Ctrl-C stops it)`);
}
