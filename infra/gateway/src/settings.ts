/** How nginx follows services that move, which have names then instead of addresses. */
export interface Discovery {
  /** Name servers, by address. */
  nameServers: readonly string[];
  /** nginx 1.27.3 and later look up again inside upstream blocks, which keep connections. */
  inUpstreams: boolean;
}

export interface GatewaySettings {
  environment: "local" | "demo" | "production";
  /** Origin the public sees, without a trailing slash; services are told its host and scheme. */
  publicBaseUrl: string;
  productName: string;
  contactEmail: string;
  /** What the Firebase SDK is initialised with in the browser; null while there is no sign-in. */
  firebaseWebConfig: Readonly<Record<string, string>> | null;
  /** "host:port" of the Firebase emulator that stands in for Google, if any; never in production. */
  emulator: string | null;
  /** Address to listen on. */
  host: string;
  port: number;
  /** Listens with SO_REUSEPORT, so that a second gateway can take over the port without closing it. */
  sharesPort: boolean;
  /** Absolute path of a Unix socket that reaches this gateway and no other, for its health check; null: none. */
  healthSocket: string | null;
  /** Replicas of each service, as "host:port"; with `discovery` names that may stand for several. */
  api: readonly string[];
  redirect: readonly string[];
  /** Null where all hosts are addresses. */
  discovery: Discovery | null;
  /** Absolute; the strategy table that is served as /app-opening.json; null: the one of this release. */
  appOpeningFile: string | null;
  /** The built SPA, or the "host:port" of Vite's dev server. */
  web: { root: string } | { devServer: string };
  /**
   * Addresses or networks of proxies in front of the gateway whose X-Forwarded-For is believed; none
   * where visitors reach the gateway themselves.
   */
  trustedProxies: readonly string[];
  /** Whether one address may have only so many requests in progress. */
  limitsClients: boolean;
  /** Processes of nginx: one for each core it may use, which nginx itself cannot tell in a container. */
  workers: number;
  /** How many files a process may have open. */
  openFiles: number;
  /** Absolute; pid file and temporary files. */
  runDirectory: string;
  /** File or device that takes one JSON line a request. */
  accessLog: string;
  /** Until when its lines hold the clients' addresses, in milliseconds since 1970; null: never. */
  addressesLoggedUntilMs: number | null;
  /** "address:port" of the program that makes metrics of each request (metrics/main.ts), by UDP; null: none. */
  metricsAddress: string | null;
  /**
   * Workers of a gateway started as root give root up and so cannot read below a folder that only
   * root may enter; this keeps them root. For loopback only.
   */
  runAsRoot: boolean;
}
