interface Host {
  host: string;
  port: number;
}

interface Login {
  username?: string;
  password?: string;
}

export type RedisAddress =
  /** One server; ioredis reads its URL. */
  | { kind: "server"; url: string }
  /** Nodes of a cluster; any of them names the others. */
  | { kind: "cluster"; nodes: Host[]; login: Login; hasTls: boolean }
  | {
      kind: "sentinel";
      sentinels: Host[];
      sentinelLogin: Login;
      /** The name under which the sentinels watch the master. */
      masterName: string;
      db: number;
      login: Login;
      hasTls: boolean;
    };

const EXAMPLES =
  "must be an address such as redis://host:6379, redis+cluster://node1:6379,node2:6379 or redis+sentinel://sentinel1:26379,sentinel2:26379/master-name";

const SEVERAL_HOSTS =
  /^(?<scheme>rediss?)\+(?<kind>cluster|sentinel):\/\/(?:(?<login>.*)@)?(?<hosts>[^@/?#]+)(?<path>\/[^?#]*)?(?<query>\?[^#]*)?$/;

const DEFAULT_PORTS = { cluster: 6_379, sentinel: 26_379 };

/** @throws Error if the address is invalid. Its message never contains the address, which may have a password. */
export function parseRedisAddress(text: string): RedisAddress {
  const address = parse(text);
  if (typeof address === "string") throw new Error(`The address of a Redis ${address}`);
  return address;
}

/** What is wrong with an address, such as "must be …"; null if nothing. */
export function redisAddressError(text: string): string | null {
  const address = parse(text);
  return typeof address === "string" ? address : null;
}

/** @returns a string with the error if the address is invalid */
function parse(text: string): RedisAddress | string {
  const parts: Record<string, string | undefined> | undefined = SEVERAL_HOSTS.exec(text)?.groups;
  if (parts === undefined) return parseServer(text);
  const { scheme, login: userInfo, hosts = "", path = "", query = "" } = parts;
  const kind = parts.kind === "cluster" ? "cluster" : "sentinel";
  const login = parseLogin(userInfo);
  const list = hosts.split(",").map((host) => parseHost(host, DEFAULT_PORTS[kind]));
  const found = list.filter((host) => host !== null);
  if (login === null || found.length < list.length) return EXAMPLES;
  const shared = { login, hasTls: scheme === "rediss" };
  if (kind === "cluster") {
    if (!/^\/?0?$/.test(path)) return "must not name a database: a cluster has only one";
    if (query !== "") return "must not have options: a cluster takes none";
    return { kind, nodes: found, ...shared };
  }
  const [, masterName, db = "0"] = /^\/([\w.-]+)(?:\/(\d{1,3}))?$/.exec(path) ?? [];
  if (masterName === undefined)
    return "must end with the name of the master, as in redis+sentinel://host:26379/master-name";
  const sentinelLogin = parseSentinelLogin(query);
  if (sentinelLogin === null)
    return "takes no other options than sentinelUsername and sentinelPassword";
  return { kind, sentinels: found, sentinelLogin, masterName, db: Number(db), ...shared };
}

function parseServer(text: string): RedisAddress | string {
  const url = URL.parse(text);
  if (!/^rediss?:$/.test(url?.protocol ?? "") || url?.hostname.includes(",")) return EXAMPLES;
  return { kind: "server", url: text };
}

function parseHost(text: string, defaultPort: number): Host | null {
  const url = URL.parse(`redis://${text}`);
  if (!url?.hostname || url.port === "0") return null;
  // The brackets of an IPv6 address are not part of it.
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  return { host, port: Number(url.port || defaultPort) };
}

/** `user:password`, either of which may be missing, percent-encoded. */
function parseLogin(text = ""): Login | null {
  const [username = "", ...rest] = text.split(":");
  try {
    return loginOf(decodeURIComponent(username), decodeURIComponent(rest.join(":")));
  } catch {
    return null;
  }
}

function parseSentinelLogin(query: string): Login | null {
  const { sentinelUsername, sentinelPassword, ...others } = Object.fromEntries(
    new URLSearchParams(query),
  );
  return Object.keys(others).length === 0 ? loginOf(sentinelUsername, sentinelPassword) : null;
}

function loginOf(username = "", password = ""): Login {
  return { ...(username && { username }), ...(password && { password }) };
}
