import { availableParallelism } from "node:os";
import type { Config } from "@tapthru/core/platform/config/configs";
import { networksOf } from "@tapthru/core/platform/config/proxy-ranges";
import { CLOUDFLARE_COUNTRY_HEADER } from "@tapthru/core/platform/config/values";
import { sharesTickets } from "./container-settings.ts";
import { memoryLimit, openFilesLimit } from "./nginx/limits.ts";

/** The settings of the program, what follows from them, and what is known only where nginx runs. */
export interface GatewaySettings extends Config<"gateway"> {
  /** Output of `nginx -v`. */
  nginxVersion: string;
  /** Replicas of each service, as "host:port". With `nameServers`, a name may resolve to several replicas. */
  api: readonly string[];
  redirect: readonly string[];
  /** For the hosts of services, with nginx 1.27.3 or later; null if all are IP addresses. */
  nameServers: readonly string[] | null;
  /** The "host:port" of Vite's dev server, which replaces WEB_ROOT; null: none. */
  devServer: string | null;
  /** Addresses or networks of TRUSTED_PROXIES. */
  trustedProxies: readonly string[];
  /** The header in which they name the visitor. Cloudflare keeps what a client sends in X-Forwarded-For, but never in its own header. */
  visitorHeader: "X-Forwarded-For" | "CF-Connecting-IP";
  /** The header with the visitor's country, which only trusted proxies may send. Those of other well-known proxies are removed. */
  countryHeader: string | null;
  /** Whether several gateways resume each other's TLS sessions. A single one keeps its sessions in memory. */
  sharesTickets: boolean;
  /** nginx worker processes, one per usable core. In a container nginx cannot detect that number. */
  workers: number;
  openFiles: number;
  /** The memory for connections with TLS; infinite if a proxy in front has them. */
  memoryBytes: number;
  /** Absolute path of the directory for the pid file and temporary files. */
  runDirectory: string;
  /** File or device that receives one JSON line per request. */
  accessLog: string;
  /** UDP "address:port" of gateway-metrics (metrics/main.ts); null: none. */
  metricsAddress: string | null;
  /**
   * Keeps workers running as root. By default workers of an nginx started as root drop privileges and cannot read
   * folders of root. Only for gateways on loopback.
   */
  runAsRoot: boolean;
}

type Machine = Pick<GatewaySettings, "nginxVersion" | "nameServers" | "metricsAddress" | "runDirectory"> &
  Partial<GatewaySettings>;

/** @param machine also what differs there from a container, in which services are found by DNS and logs go to stdout */
export function gatewaySettings(config: Config<"gateway">, machine: Machine): GatewaySettings {
  const { TRUSTED_PROXIES: proxies } = config;
  return {
    ...config,
    api: [config.API_ADDRESS],
    redirect: [config.REDIRECT_ADDRESS],
    devServer: null,
    trustedProxies: networksOf(proxies),
    visitorHeader:
      proxies.length > 0 && proxies.every((proxy) => proxy === "cloudflare") ? "CF-Connecting-IP" : "X-Forwarded-For",
    countryHeader: config.COUNTRY_HEADER ?? (proxies.includes("cloudflare") ? CLOUDFLARE_COUNTRY_HEADER : null),
    sharesTickets: sharesTickets(),
    workers: availableParallelism(),
    openFiles: openFilesLimit(),
    memoryBytes: config.TLS === "on" ? memoryLimit() : Number.POSITIVE_INFINITY,
    accessLog: "/dev/stdout",
    runAsRoot: false,
    ...machine,
  };
}

/** @param nginxVersion output of `nginx -v` */
export function isAtLeast(nginxVersion: string, [major, minor, patch]: readonly [number, number, number]): boolean {
  const numbers = /\/(\d+)[.](\d+)[.](\d+)/.exec(nginxVersion)?.map(Number) ?? [];
  const [, ownMajor = 0, ownMinor = 0, ownPatch = 0] = numbers;
  return ownMajor * 1_000_000 + ownMinor * 1_000 + ownPatch >= major * 1_000_000 + minor * 1_000 + patch;
}
