import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { UserFacingError } from "@tapthru/core/platform/user-facing-error";
import { demoLoginMessage, ensureDemoAccount } from "@tapthru/postgres/demo/account";
import { firstAccountMessage } from "@tapthru/postgres/operator-link";
import { type SeedAccount, seed } from "@tapthru/postgres/seed";
import { shortUrl } from "@tapthru/proto/rules/short-url";
import { execa } from "execa";
import getPort from "get-port";
import type { Stack } from "../processes/stack.ts";
import { findServerPrograms } from "../programs/find-programs.ts";
import { localDatabaseUrl, startDatabase } from "../servers/database.ts";
import { startGateway } from "../servers/gateway.ts";
import { emailsFile, startMailServer } from "../servers/mail-server.ts";
import { startRedis } from "../servers/redis.ts";
import { respondsOverHttp } from "./http-health.ts";
import { servicePlans } from "./service-plans.ts";
import { CHECKOUT, PORT_NAMES, type PortName, type Settings } from "./settings.ts";
import { step } from "./step.ts";

const WEB = join(CHECKOUT, "web");
const VITE = join(WEB, "node_modules", "vite", "bin", "vite.js");

/** Builds the SPA into the data folder, so that two runs in one checkout do not interfere. */
async function buildWeb({ webDir }: Settings, cancelSignal: AbortSignal): Promise<void> {
  const { failed, all } = await execa(
    process.execPath,
    [VITE, "build", "--outDir", webDir, "--emptyOutDir", "--logLevel", "warn"],
    {
      cwd: WEB,
      env: { NODE_ENV: "production" },
      stdin: "ignore",
      all: true,
      reject: false,
      cancelSignal,
    },
  );
  cancelSignal.throwIfAborted();
  if (failed) throw new UserFacingError(`Failed to build the web application.\n${all}`);
}

/** Starts Vite, which compiles each file of the SPA on request. */
async function startDevServer({ ports, logsDir }: Settings, stack: Stack): Promise<void> {
  await stack.start(
    {
      name: "Vite",
      command: process.execPath,
      args: [VITE, "--port", String(ports.VITE_PORT)],
      cwd: WEB,
      logFile: join(logsDir, "vite.log"),
    },
    () => respondsOverHttp(`http://127.0.0.1:${ports.VITE_PORT}/`),
  );
}

/** Starts the Amazon stand-in, to which safe-fetch connects instead of Amazon. */
async function startStandIn({ ports, logsDir }: Settings, stack: Stack): Promise<string> {
  const url = `http://127.0.0.1:${ports.STAND_IN_PORT}`;
  await stack.start(
    {
      name: "Amazon stand-in",
      command: process.execPath,
      args: [
        join(CHECKOUT, "infra", "dev", "amazon-stand-in", "src", "main.ts"),
        `--port=${ports.STAND_IN_PORT}`,
        `--tls-port=${ports.STAND_IN_TLS_PORT}`,
      ],
      logFile: join(logsDir, "stand-in.log"),
    },
    () => respondsOverHttp(url),
  );
  return url;
}

export interface StackMode {
  /** Services and SPA reload when their files change. */
  isDev: boolean;
  /** Starts the Amazon stand-in, and creates example links and the demo account. */
  isDemo: boolean;
}

/** Adds the demo account and links. The stack may be configured such that no one can sign up. */
async function addDemo(settings: Settings): Promise<void> {
  const { publicBaseUrl } = settings;
  const addLinks = async (account: SeedAccount | null) => {
    const codes = await seed(localDatabaseUrl(settings), publicBaseUrl, account);
    for (const code of codes) console.log(shortUrl(publicBaseUrl, code));
  };
  try {
    await addLinks(await ensureDemoAccount(publicBaseUrl));
    console.log(`\n${demoLoginMessage}`);
  } catch (error) {
    await addLinks(null);
    console.log(`\nThere is no demo account: ${error instanceof Error ? error.message : error}`);
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
  for (const { process, readyUrl } of servicePlans(settings, secrets, { watch: mode.isDev, standInUrl, smtpUrl })) {
    const isReady = async () => readyUrl === null || (await respondsOverHttp(readyUrl, 200));
    await step(process.name, () => stack.start(process, isReady));
  }
  await step("gateway", () => startGateway(settings, { nginx, ...mode }, stack));

  const message = await firstAccountMessage(localDatabaseUrl(settings), settings.publicBaseUrl);
  if (message !== null) console.log(`\n${message}`);
  if (mode.isDemo) await addDemo(settings);
  if (printsEmails) console.log("\nWithout SMTP_URL, emails are printed here.");
  console.log(`\nTapthru runs on ${settings.publicBaseUrl} (Ctrl-C stops it)`);
}

/** @throws UserFacingError with the first port that is in use */
async function requireFreePorts({ ports }: Settings, unused: readonly PortName[]): Promise<void> {
  for (const name of PORT_NAMES.filter((name) => !unused.includes(name))) {
    const port = ports[name];
    if ((await getPort({ port })) === port) continue;
    throw new UserFacingError(`Port ${port} is in use: stop the program that listens on it, or set ${name}.`);
  }
}
