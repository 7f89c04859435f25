import { execFileSync } from "node:child_process";
import { cp, mkdir, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { type AmazonStandIn, startAmazonStandIn } from "@tapthru/amazon-stand-in/stand-in";
import { DATABASE } from "@tapthru/postgres/login-roles";
import type { Stack } from "@tapthru/stack/processes/stack";
import { startTemporarily } from "@tapthru/stack/processes/start-temporarily";
import { findServerPrograms } from "@tapthru/stack/programs/find-programs";
import { postgresPlan, startDatabase } from "@tapthru/stack/servers/database";
import { startGateway, writeEmptyWebApp } from "@tapthru/stack/servers/gateway";
import { startPostgres, superuserUrl } from "@tapthru/stack/servers/postgres";
import { startRedis } from "@tapthru/stack/servers/redis";
import { respondsOverHttp } from "@tapthru/stack/stack/http-health";
import { type ServicePlan, servicePlans } from "@tapthru/stack/stack/service-plans";
import { CHECKOUT, readSettings } from "@tapthru/stack/stack/settings";
import { isolatedStackEnv } from "@tapthru/stack/stack/test-stack";
import { Redis } from "ioredis";
import { afterAll, expect } from "vitest";

const SERVICES = ["redirect-1", "redirect-2", "api-1", "api-2", "worker-1"] as const;

export type ServiceName = (typeof SERVICES)[number];
export type ProcessName = ServiceName | "Postgres" | "cache Redis" | "queue Redis" | "gateway";

export type Testbed = Awaited<ReturnType<typeof startTestbed>>;

/**
 * Starts a stack for the tests of a file: two redirects and two apis behind nginx, a worker, two Redis servers and
 * Postgres, with temporary data. It stops after the tests, which fail if one of its processes has exited by itself.
 * The logs of the last run are kept in `.data/faults`.
 */
export async function startTestbed() {
  const amazon = await startAmazonStandIn();
  const { testbed, stop } = await startTemporarily(async (folder, stack) => ({
    testbed: await start(folder, stack, amazon),
  }));
  afterAll(async () => {
    const kept = join(CHECKOUT, ".data", "faults", basename(expect.getState().testPath ?? ""));
    await rm(kept, { recursive: true, force: true });
    await cp(testbed.logsDir, kept, { recursive: true });
    testbed.disconnect();
    await stop();
    await amazon.stop();
    expect(testbed.unexpectedExits).toEqual([]);
  });
  return testbed;
}

async function start(folder: string, stack: Stack, amazon: AmazonStandIn) {
  const first = await readFreeSettings(folder);
  const others = await readFreeSettings(folder);
  const { POSTGRES_PORT, REDIS_PORT: cachePort } = first.ports;
  const second = { ...first, ports: { ...others.ports, POSTGRES_PORT } };
  const queuePort = others.ports.REDIS_PORT;
  const { ports, logsDir, webDir } = first;
  await mkdir(logsDir);
  await writeEmptyWebApp(webDir);
  const { redisServer, nginx } = await findServerPrograms();

  const redisStarter = (name: string, port: number, durable: boolean) => async () => {
    const dataDir = join(folder, name);
    const logFile = join(logsDir, `${name}.log`);
    await startRedis({ name, command: redisServer, port, dataDir, logFile, durable }, stack);
  };
  const startCache = redisStarter("cache Redis", cachePort, false);
  const startQueue = redisStarter("queue Redis", queuePort, true);
  const [secrets] = await Promise.all([startDatabase(first, stack), startCache(), startQueue()]);
  const database = postgresPlan(first, secrets);

  const replicas = {
    api: [first, second].map((one) => `127.0.0.1:${one.ports.API_PORT}`),
    redirect: [first, second].map((one) => `127.0.0.1:${one.ports.REDIRECT_PORT}`),
  };
  const plans = new Map<string, ServicePlan>();
  for (const [index, settings] of [first, second].entries()) {
    const options = { watch: false, standInUrl: amazon.url, smtpUrl: null };
    for (const { process, readyUrl } of servicePlans(settings, secrets, options)) {
      const name = `${process.name}-${index + 1}`;
      const env = {
        ...process.env,
        REDIS_CACHE_URL: `redis://127.0.0.1:${cachePort}`,
        REDIS_QUEUE_URL: `redis://127.0.0.1:${queuePort}`,
        ...(process.name === "api" && { REDIS_SESSION_URL: `redis://127.0.0.1:${queuePort}` }),
      };
      const logFile = join(logsDir, `${name}.log`);
      plans.set(name, { process: { ...process, name, env, logFile }, readyUrl });
    }
  }
  const planOf = (name: string) => {
    const plan = plans.get(name);
    if (plan === undefined) throw new Error(`${name} is no service`);
    return plan;
  };
  const starters: Record<string, () => Promise<void>> = {
    Postgres: () => startPostgres(database, stack),
    "cache Redis": startCache,
    "queue Redis": startQueue,
    gateway: () => startGateway(first, { nginx, isDev: false, replicas }, stack),
  };
  const startService = (name: string) => {
    const { process, readyUrl } = planOf(name);
    return stack.start(process, () => respondsOverHttp(readyUrl ?? "", 200));
  };
  /** Starts stopped processes. Resolves when they are ready. */
  const startAll = async (...names: ProcessName[]) => {
    await Promise.all(names.map((name) => starters[name]?.() ?? startService(name)));
  };
  const end = (name: ProcessName, signal: "SIGTERM" | "SIGKILL" = "SIGTERM") => stack.end(name, signal);
  const kill = async (...names: ProcessName[]) => {
    await Promise.all(names.map((name) => end(name, "SIGKILL")));
  };
  const signalAll = (name: ProcessName, signal: NodeJS.Signals) => {
    const pid = stack.pid(name);
    // The process comes first, so that it starts no other child. Each Postgres backend leads its own process group.
    process.kill(pid, signal);
    for (const child of childrenOf(pid)) {
      try {
        process.kill(child, signal);
      } catch (error) {
        // A Postgres process of an earlier connection may have ended meanwhile.
        if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
      }
    }
  };
  const adminPage = async (name: ServiceName, page: string) => {
    const response = await fetch(new URL(page, planOf(name).readyUrl ?? ""));
    return { isOk: response.ok, text: await response.text() };
  };

  await startAll(...SERVICES);
  await startAll("gateway");
  const [cache, queue] = [new Redis({ port: cachePort }), new Redis({ port: queuePort })];
  for (const redis of [cache, queue]) redis.on("error", () => {});
  return {
    url: `http://127.0.0.1:${ports.PORT}`,
    publicBaseUrl: first.publicBaseUrl,
    redirects: replicas.redirect.map((address) => `http://${address}`),
    /** For connecting as the superuser. */
    databaseUrl: superuserUrl(database, DATABASE),
    cache,
    queue,
    logsDir,
    unexpectedExits: stack.unexpectedExits,
    start: startAll,
    end,
    kill,
    async whileKilled(names: ProcessName[], work: () => Promise<void>) {
      await kill(...names);
      await work().finally(() => startAll(...names));
    },
    /** Stops a process and its children: their sockets stay open, but nothing reads them. */
    async whileFrozen(name: ProcessName, work: () => Promise<void>) {
      signalAll(name, "SIGSTOP");
      await work().finally(() => signalAll(name, "SIGCONT"));
    },
    pid: (name: ProcessName) => stack.pid(name),
    /** "ready", or why a service is not. */
    async readiness(name: ServiceName): Promise<string> {
      const { isOk, text } = await adminPage(name, "/readyz");
      return isOk ? "ready" : text;
    },
    /** The sum of a service's series with these labels, such as `source="redis"`. */
    async metric(name: ServiceName, metric: string, ...labels: string[]): Promise<number> {
      const { text } = await adminPage(name, "/metrics");
      return text
        .split("\n")
        .filter((line) => line.startsWith(`${metric}{`) || line.startsWith(`${metric} `))
        .filter((line) => labels.every((label) => line.includes(label)))
        .reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
    },
    disconnect() {
      for (const redis of [cache, queue]) redis.disconnect();
    },
  };
}

function childrenOf(pid: number): number[] {
  const processes = execFileSync("ps", ["-A", "-o", "ppid=,pid="], { encoding: "utf8" });
  const pairs = processes.split("\n").map((line) => line.trim().split(/ +/).map(Number));
  return pairs.flatMap(([parent, child]) => (parent === pid && child ? [child] : []));
}

async function readFreeSettings(folder: string) {
  // All requests come from one address.
  return readSettings({ ...(await isolatedStackEnv(folder)), RATE_LIMITS: "off" });
}
