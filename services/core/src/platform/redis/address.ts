interface Host {
  host: string;
  port: number;
}

interface Login {
  username?: string;
  password?: string;
}

export type RedisAddress =
  | { kind: "server"; url: string }
  | { kind: "cluster"; nodes: Host[]; login: Login; hasTls: boolean };

const EXAMPLES = "must be an address such as redis://host:6379 or redis+cluster://node1:6379,node2:6379";

const CLUSTER =
  /^(?<scheme>rediss?)\+cluster:\/\/(?:(?<login>.*)@)?(?<hosts>[^@/?#]+)(?<path>\/[^?#]*)?(?<query>\?[^#]*)?$/;

const DEFAULT_PORT = 6_379;

/** @throws Error if the address is invalid. Its message never contains the address, which may have a password. */
export function parseRedisAddress(text: string): RedisAddress {
  const address = parse(text);
  if (typeof address === "string") throw new Error(`The address of a Redis ${address}`);
  return address;
}

/** Returns the error of an address, such as "must be …", or null. */
export function redisAddressError(text: string): string | null {
  const address = parse(text);
  return typeof address === "string" ? address : null;
}

/** @returns a string with the error if the address is invalid */
function parse(text: string): RedisAddress | string {
  const parts: Record<string, string | undefined> | undefined = CLUSTER.exec(text)?.groups;
  if (parts === undefined) return parseServer(text);
  const { scheme, login: userInfo, hosts = "", path = "", query = "" } = parts;
  const login = parseLogin(userInfo);
  const list = hosts.split(",").map(parseHost);
  const nodes = list.filter((host) => host !== null);
  if (login === null || nodes.length < list.length) return EXAMPLES;
  if (!/^\/?0?$/.test(path)) return "must not name a database: a cluster has only one";
  if (query !== "") return "must not have options: a cluster takes none";
  return { kind: "cluster", nodes, login, hasTls: scheme === "rediss" };
}

function parseServer(text: string): RedisAddress | string {
  const url = URL.parse(text);
  if (!/^rediss?:$/.test(url?.protocol ?? "") || url?.hostname.includes(",")) return EXAMPLES;
  return { kind: "server", url: text };
}

function parseHost(text: string): Host | null {
  const url = URL.parse(`redis://${text}`);
  if (!url?.hostname || url.port === "0") return null;
  // The brackets of an IPv6 address are not part of it.
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  return { host, port: Number(url.port || DEFAULT_PORT) };
}

/** `user:password`, either of which may be missing, percent-encoded. */
function parseLogin(text = ""): Login | null {
  const [username = "", ...rest] = text.split(":");
  try {
    const [name, password] = [username, rest.join(":")].map(decodeURIComponent);
    return { ...(name && { username: name }), ...(password && { password }) };
  } catch {
    return null;
  }
}
