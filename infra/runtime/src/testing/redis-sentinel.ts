import { setTimeout as delay } from "node:timers/promises";
import { Redis } from "ioredis";
import { type ControlledRedis, startRedis, untilReplicated } from "./controlled-redis.ts";
import type { TestCertificates } from "./test-certificates.ts";

const MASTER_NAME = "main";
const SENTINELS = 3;
const PASSWORD = "a-password-of-the-servers";
const SENTINEL_PASSWORD = "a-password-of-the-sentinels";

/** A master with a replica, watched by three sentinels. */
export interface SentinelSetup {
  url: string;
  master: ControlledRedis;
  /** Waits until the replica has all data of the master. */
  untilReplicated(): Promise<void>;
  remove(): Promise<void>;
}

/** @param certificates with them all connections use TLS */
export async function createSentinelSetup(
  certificates: TestCertificates | null = null,
): Promise<SentinelSetup> {
  const passwords = ["--requirepass", PASSWORD, "--masterauth", PASSWORD];
  const createRedis = (...settings: string[]) =>
    startRedis({ certificates, settings: [...passwords, ...settings] });
  const master = await createRedis();
  const masterPort = new URL(master.url).port;
  const replica = await createRedis(
    ...["--replicaof", `127.0.0.1 ${masterPort}`, "--repl-diskless-sync-delay", "0"],
  );
  const sentinels = await Promise.all(
    Array.from({ length: SENTINELS }, () => startSentinel(masterPort, certificates)),
  );
  for (const { port } of sentinels) await untilComplete(port, certificates);
  const hosts = sentinels.map(({ port }) => `127.0.0.1:${port}`).join(",");
  const scheme = certificates ? "rediss+sentinel" : "redis+sentinel";
  return {
    url: `${scheme}://:${PASSWORD}@${hosts}/${MASTER_NAME}?sentinelPassword=${SENTINEL_PASSWORD}`,
    master,
    async untilReplicated() {
      const commands = new Redis(master.url, { password: PASSWORD, ...tlsOf(certificates) });
      await untilReplicated(commands);
      commands.disconnect();
    },
    async remove() {
      await Promise.all(sentinels.map(({ remove }) => remove()));
      await Promise.all([master.remove(), replica.remove()]);
    },
  };
}

async function startSentinel(masterPort: string, certificates: TestCertificates | null) {
  const server = await startRedis({
    certificates,
    sentinel: [
      "bind 127.0.0.1",
      `sentinel monitor ${MASTER_NAME} 127.0.0.1 ${masterPort} 2`,
      `sentinel down-after-milliseconds ${MASTER_NAME} 1500`,
      `sentinel failover-timeout ${MASTER_NAME} 5000`,
      `sentinel auth-pass ${MASTER_NAME} ${PASSWORD}`,
      `requirepass ${SENTINEL_PASSWORD}`,
      `sentinel sentinel-pass ${SENTINEL_PASSWORD}`,
    ],
  });
  return { ...server, port: Number(new URL(server.url).port) };
}

/** Until a sentinel knows the replica and the other sentinels. */
async function untilComplete(port: number, certificates: TestCertificates | null): Promise<void> {
  const commands = new Redis({
    ...{ host: "127.0.0.1", port, password: SENTINEL_PASSWORD },
    ...tlsOf(certificates),
  });
  for (;;) {
    const info = await commands.info("sentinel");
    if (/slaves=1,sentinels=3/.test(info)) break;
    await delay(20);
  }
  commands.disconnect();
}

function tlsOf(certificates: TestCertificates | null) {
  return certificates && { tls: { ca: certificates.authority } };
}
