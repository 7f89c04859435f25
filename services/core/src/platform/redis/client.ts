import { Cluster, Redis, type RedisOptions } from "ioredis";
import { withDeadline } from "../waiting.ts";
import { parseRedisAddress, type RedisAddress } from "./address.ts";
import { RedisUnavailableError } from "./errors.ts";

/** Both have the same commands; in a cluster all keys of a command must be in one slot. */
export type RedisClient = Redis | Cluster;

type ClientOptions = Omit<RedisOptions, "replyMapping" | "himportFieldsets">;

/** After this time a client knows that another node of the cluster has taken over. */
const SLOTS_REFRESH_MS = 1_000;
const RETRY_MS = 500;
const NODE_REPLY_MS = 1_000;

export function createRedisClient(url: string, options: ClientOptions): RedisClient {
  const address = parseRedisAddress(url);
  return address.kind === "cluster" ? createCluster(address, options) : new Redis(address.url, options);
}

/** A client of one server, for subscriptions. Of a cluster it is a node: another one for each attempt. */
export function createSubscriptionClient(url: string, options: ClientOptions, attempt: number): Redis {
  const address = parseRedisAddress(url);
  if (address.kind === "server") return new Redis(address.url, options);
  const { nodes, login, hasTls } = address;
  return new Redis({
    ...options,
    ...nodes[attempt % nodes.length],
    ...login,
    ...(hasTls && { tls: {} }),
  });
}

/** The servers that hold the data: all masters of a cluster. Waits until a cluster was reached. */
export async function masterServers(client: RedisClient): Promise<Redis[]> {
  if (!(client instanceof Cluster)) return [client];
  await client.ping();
  return client.nodes("master");
}

/** Connects to the masters of a cluster, which otherwise happens with the first command to each. */
export async function openConnections(client: RedisClient): Promise<void> {
  if (client instanceof Cluster) await Promise.allSettled(client.nodes("master").map((node) => node.ping()));
}

/** Resolves when Redis replies. In a cluster one reply suffices, and a connection without a reply in time is dropped. */
export async function ping(client: RedisClient, nodeReplyMs = NODE_REPLY_MS): Promise<void> {
  if (!(client instanceof Cluster)) return void (await client.ping());
  const replies = client.nodes("master").map((node) =>
    withDeadline(node.ping(), nodeReplyMs, lateError).catch((error) => {
      dropConnection(node);
      throw error;
    }),
  );
  await Promise.any(replies);
}

const dropped = new WeakSet<Redis>();

/** Once, also after several late pings. The next command opens a new connection, to the node that has the slot then. */
function dropConnection(node: Redis): void {
  if (dropped.has(node)) return;
  dropped.add(node);
  node.disconnect();
}

function lateError(): Error {
  return new RedisUnavailableError("a node of a cluster", "responds too late");
}

function createCluster(
  { nodes, login, hasTls }: Extract<RedisAddress, { kind: "cluster" }>,
  { lazyConnect, enableOfflineQueue = true, retryStrategy, ...redisOptions }: ClientOptions,
): Cluster {
  const retryDelay = enableOfflineQueue ? RETRY_MS : 0;
  return new Cluster(nodes, {
    ...(lazyConnect && { lazyConnect }),
    enableOfflineQueue,
    clusterRetryStrategy: () => RETRY_MS,
    // 0: commands whose node is unavailable fail at once. Otherwise they wait for up to a minute.
    retryDelayOnFailover: retryDelay,
    retryDelayOnClusterDown: retryDelay,
    maxRedirections: enableOfflineQueue ? 120 : 16,
    slotsRefreshInterval: SLOTS_REFRESH_MS,
    // Names are kept, because certificates are issued for them.
    dnsLookup: (address, callback) => callback(null, address),
    redisOptions: { ...redisOptions, ...login, ...(hasTls && { tls: {} }) },
  });
}

/** Reads several keys: with one command, but each with its own in a cluster, where their slots differ. */
export function readKeys(client: RedisClient, keys: readonly string[]): Promise<(string | null)[]> {
  if (client instanceof Cluster) return Promise.all(keys.map((key) => client.get(key)));
  return client.mget([...keys]);
}

export async function deleteKeys(client: RedisClient, keys: readonly string[]): Promise<void> {
  if (client instanceof Cluster) await Promise.all(keys.map((key) => client.del(key)));
  else await client.del([...keys]);
}
