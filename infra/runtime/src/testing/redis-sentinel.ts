import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Redis } from "ioredis";
import {
  type ControlledRedis,
  createControlledRedis,
  untilResponsive,
} from "./controlled-redis.ts";
import { freePort } from "./free-port.ts";

const MASTER_NAME = "main";
const SENTINELS = 3;

/** A master with a replica, watched by three sentinels. */
export interface SentinelSetup {
  url: string;
  master: ControlledRedis;
  remove(): Promise<void>;
}

export async function createSentinelSetup(): Promise<SentinelSetup> {
  const master = await createControlledRedis();
  await master.start();
  const masterPort = new URL(master.url).port;
  const replica = await createControlledRedis(
    ...["--replicaof", `127.0.0.1 ${masterPort}`, "--repl-diskless-sync-delay", "0"],
  );
  await replica.start();
  const sentinels = await Promise.all(
    Array.from({ length: SENTINELS }, () => startSentinel(masterPort)),
  );
  for (const { port } of sentinels) await untilComplete(port);
  const hosts = sentinels.map(({ port }) => `127.0.0.1:${port}`);
  return {
    url: `redis+sentinel://${hosts.join(",")}/${MASTER_NAME}`,
    master,
    async remove() {
      await Promise.all(sentinels.map(({ stop }) => stop()));
      await Promise.all([master.remove(), replica.remove()]);
    },
  };
}

async function startSentinel(masterPort: string) {
  const folder = await mkdtemp(join(tmpdir(), "tapthru-sentinel-"));
  const port = await freePort();
  const file = join(folder, "sentinel.conf");
  const lines = [
    `port ${port}`,
    "bind 127.0.0.1",
    `dir ${folder}`,
    `sentinel monitor ${MASTER_NAME} 127.0.0.1 ${masterPort} 2`,
    `sentinel down-after-milliseconds ${MASTER_NAME} 1500`,
    `sentinel failover-timeout ${MASTER_NAME} 5000`,
  ];
  await writeFile(file, lines.join("\n"));
  const program = process.env.TEST_REDIS_SERVER ?? "redis-server";
  const child = spawn(program, [file, "--sentinel"], { stdio: "ignore" });
  await untilResponsive(port);
  return {
    port,
    async stop() {
      child.kill("SIGKILL");
      await once(child, "exit");
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Until a sentinel knows the replica and the other sentinels. */
async function untilComplete(port: number): Promise<void> {
  const commands = new Redis({ port });
  for (;;) {
    const info = await commands.info("sentinel");
    if (/slaves=1,sentinels=3/.test(info)) break;
    await delay(20);
  }
  commands.disconnect();
}
