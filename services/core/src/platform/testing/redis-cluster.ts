import { setTimeout as delay } from "node:timers/promises";
import { Redis } from "ioredis";
import { type ControlledRedis, startRedis } from "./controlled-redis.ts";
import { freePort } from "./free-port.ts";
import type { TestCertificates } from "./test-certificates.ts";

export interface TestCluster {
  url: string;
  urlAs(user: ClusterUser): string;
  untilHealthy(): Promise<void>;
  masterOf(key: string): Promise<Node>;
  usersOfMasters(): Promise<Set<string>[]>;
  countSubscribers(channel: string): Promise<number>;
  remove(): Promise<void>;
}

const MASTERS = 3;
const SLOTS = 16_384;
const NODE_TIMEOUT_MS = 1_500;

const PASSWORD = "a-password-of-the-cluster";
const USERS = ["api", "redirect", "worker"] as const;
type ClusterUser = (typeof USERS)[number];

interface ClusterOptions {
  settings?: readonly string[];
  certificates?: TestCertificates | null;
}

interface Node {
  server: ControlledRedis;
  port: number;
  busPort: number;
  commands: Redis;
}

export async function createRedisCluster(options: ClusterOptions = {}): Promise<TestCluster> {
  const nodes = await Promise.all(Array.from({ length: 2 * MASTERS }, () => startNode(options)));
  const masters = nodes.slice(0, MASTERS);
  for (const [i, { commands }] of masters.entries()) {
    const first = Math.ceil((i * SLOTS) / MASTERS);
    const last = Math.ceil(((i + 1) * SLOTS) / MASTERS) - 1;
    await commands.call("CLUSTER", "ADDSLOTSRANGE", first, last);
    await commands.call("CLUSTER", "SET-CONFIG-EPOCH", i + 1);
  }
  const [meeting, ...others] = nodes;
  for (const { port, busPort } of others) await meeting?.commands.call("CLUSTER", "MEET", "127.0.0.1", port, busPort);
  for (const node of nodes) await until(() => knowsAll(node));
  for (const [i, { commands }] of nodes.slice(MASTERS).entries())
    await commands.call("CLUSTER", "REPLICATE", await idOf(masters[i]));
  for (const { commands } of nodes.slice(MASTERS))
    await until(async () => /master_link_status:up/.test(await commands.info("replication")));
  async function untilHealthy(): Promise<void> {
    for (const { server, commands } of nodes) {
      if (server.isRunning()) await until(async () => /cluster_state:ok/.test(String(await commands.cluster("INFO"))));
    }
  }
  await untilHealthy();

  async function masterOf(key: string): Promise<Node> {
    for (const node of nodes) {
      if (!node.server.isRunning()) continue;
      // The others reply with an error.
      const reply = await node.commands.exists(key).catch(() => null);
      if (reply !== null) return node;
    }
    throw new Error(`No master has the slot of ${key}`);
  }

  const running = () => nodes.filter(({ server }) => server.isRunning());

  function addressFor(login: string): string {
    const scheme = options.certificates ? "rediss+cluster" : "redis+cluster";
    return `${scheme}://${login}:${PASSWORD}@${nodes.map(({ port }) => `127.0.0.1:${port}`).join(",")}`;
  }

  return {
    url: addressFor(""),
    urlAs: addressFor,
    async usersOfMasters() {
      const roles = await Promise.all(running().map(({ commands }) => commands.role()));
      const masters = running().filter((_, i) => roles[i]?.[0] === "master");
      const lists = await Promise.all(masters.map(({ commands }) => commands.client("LIST")));
      return lists.map((list) => new Set([...String(list).matchAll(/ user=(\S+)/g)].map(([, user = ""]) => user)));
    },
    async countSubscribers(channel) {
      const replies = await Promise.all(running().map(({ commands }) => commands.pubsub("NUMSUB", channel)));
      return replies.reduce<number>((sum, reply) => sum + Number(reply[1]), 0);
    },
    untilHealthy,
    masterOf,
    async remove() {
      for (const { commands } of nodes) commands.disconnect();
      await Promise.all(nodes.map(({ server }) => server.remove()));
    },
  };
}

async function startNode({ settings = [], certificates = null }: ClusterOptions): Promise<Node> {
  const busPort = await freePort();
  const all = [
    "--cluster-enabled",
    "yes",
    "--cluster-port",
    String(busPort),
    "--cluster-node-timeout",
    String(NODE_TIMEOUT_MS),
    "--cluster-replica-validity-factor",
    "0",
    "--repl-diskless-sync-delay",
    "0",
    "--cluster-announce-ip",
    "127.0.0.1",
    "--requirepass",
    PASSWORD,
    "--masterauth",
    PASSWORD,
    ...USERS.flatMap((user) => ["--user", user, "on", `>${PASSWORD}`, "~*", "&*", "+@all"]),
    ...(certificates ? ["--tls-cluster", "yes"] : []),
    ...settings,
  ];
  const server = await startRedis({ certificates, settings: all });
  const commands = new Redis(server.url, {
    password: PASSWORD,
    retryStrategy: () => 50,
    ...(certificates && { tls: { ca: certificates.authority } }),
  });
  commands.on("error", () => {});
  return { server, port: Number(new URL(server.url).port), busPort, commands };
}

async function knowsAll({ commands }: Node): Promise<boolean> {
  const known = String(await commands.cluster("NODES"))
    .trim()
    .split("\n");
  return known.length === 2 * MASTERS && !known.some((line) => /handshake|noaddr/.test(line));
}

async function idOf(node: Node | undefined): Promise<string> {
  return String(await node?.commands.cluster("MYID"));
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await delay(20);
}
