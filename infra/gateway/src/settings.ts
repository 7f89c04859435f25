import { availableParallelism } from "node:os";
import type { Config } from "@tapthru/core/platform/config/configs";
import { networksOf } from "@tapthru/core/platform/config/proxy-ranges";
import { CLOUDFLARE_COUNTRY_HEADER } from "@tapthru/core/platform/config/values";
import type { PublicConfig } from "@tapthru/proto/public-config";
import { sharesTickets } from "./container-settings.ts";
import { memoryLimit, openFilesLimit } from "./nginx/limits.ts";

export interface TlsSettings {
  port: number;
  /** Absolute path of the directory with `{host}.pem` and `{host}.hsts`. */
  certificatesDir: string;
  /** True if nginx has `http2 on`: 1.25.1 and later. */
  hasHttp2Directive: boolean;
  /** True if nginx keeps certificates of variable names in memory: 1.27.4 and later. */
  cachesCertificates: boolean;
  /** True if several gateways resume each other's sessions. A single one keeps its sessions in memory. */
  sharesTickets: boolean;
}

export interface GatewaySettings {
  /** The site's public origin, without a trailing slash; services receive its host and scheme. */
  publicBaseUrl: string;
  /** Seconds of Strict-Transport-Security, with an https publicBaseUrl. */
  hstsMaxAge: number;
  productName: string;
  contactEmail: string;
  /** Options of the Firebase SDK in the browser; null: the built-in identity provider. */
  firebaseWebConfig: Readonly<Record<string, string>> | null;
  login: Pick<PublicConfig, "signUp" | "hasPasswordLogin" | "openIdConnect">;
  hasAmazonAds: boolean;
  /** Address to listen on; `::` for all of IPv4 and IPv6. */
  host: string;
  port: number;
  /** Null if a proxy serves https. */
  tls: TlsSettings | null;
  /** Replicas of each service, as "host:port". With `nameServers`, a name may resolve to several replicas. */
  api: readonly string[];
  redirect: readonly string[];
  /** For the hosts of services, with nginx 1.27.3 or later; null if all are IP addresses. */
  nameServers: readonly string[] | null;
  /** Absolute path of the strategy table served as /app-opening.json; null: the table of this release. */
  appOpeningFile: string | null;
  /** The built SPA, or the "host:port" of Vite's dev server. */
  web: { root: string } | { devServer: string };
  /** Addresses or networks of proxies whose X-Forwarded-For is trusted; empty if visitors connect directly. */
  trustedProxies: readonly string[];
  /** The header in which they name the visitor. Cloudflare keeps what a client sends in X-Forwarded-For, but never in its own header. */
  visitorHeader: "X-Forwarded-For" | "CF-Connecting-IP";
  /** The header with the visitor's country, which only trusted proxies may send. Those of other well-known proxies are removed. */
  countryHeader: string | null;
  limitsClients: boolean;
  /** nginx worker processes, one per usable core. In a container nginx cannot detect that number. */
  workers: number;
  openFiles: number;
  /** The memory for connections with TLS; infinite if a proxy in front has them. */
  memoryBytes: number;
  /** Absolute path of the directory for the pid file and temporary files. */
  runDirectory: string;
  /** File or device that receives one JSON line per request. */
  accessLog: string;
  /** The access log contains client addresses until this time, in Unix milliseconds; null: never. */
  addressesLoggedUntilMs: number | null;
  /** The share of visits without an error of which the access log has a line; from 1 to 100. */
  visitsLoggedPercent: number;
  /** UDP "address:port" of gateway-metrics (metrics/main.ts); null: none. */
  metricsAddress: string | null;
  /**
   * Keeps workers running as root. By default workers of an nginx started as root drop privileges and cannot read
   * folders of root. Only for gateways on loopback.
   */
  runAsRoot: boolean;
}

/** Settings known only where nginx runs, or different there from a container. */
type Machine = Pick<GatewaySettings, "nameServers" | "metricsAddress" | "runDirectory"> & Partial<GatewaySettings>;

/**
 * The gateway's settings. In a container services are found by DNS, and all logs go to stdout and stderr.
 * @param nginxVersion output of `nginx -v`
 */
export function gatewaySettings(config: Config<"gateway">, nginxVersion: string, machine: Machine): GatewaySettings {
  return {
    publicBaseUrl: config.PUBLIC_BASE_URL,
    hstsMaxAge: config.HSTS_MAX_AGE,
    productName: config.PRODUCT_NAME,
    contactEmail: config.CONTACT_EMAIL,
    firebaseWebConfig: config.FIREBASE_WEB_CONFIG,
    login: {
      signUp: config.SIGNUP_MODE,
      hasPasswordLogin: config.PASSWORD_LOGIN === "on",
      openIdConnect: config.OIDC_ISSUER === null ? null : { name: config.OIDC_NAME, iconUrl: config.OIDC_ICON },
    },
    hasAmazonAds: config.AMAZON_ADS_CLIENT_ID !== null,
    host: config.HOST,
    port: config.PORT,
    tls:
      config.TLS === "on" ? tlsSettings(config.TLS_PORT, config.CERTIFICATES_DIR, nginxVersion, sharesTickets()) : null,
    api: [config.API_ADDRESS],
    redirect: [config.REDIRECT_ADDRESS],
    appOpeningFile: config.APP_OPENING_FILE,
    web: { root: config.WEB_ROOT },
    trustedProxies: networksOf(config.TRUSTED_PROXIES),
    visitorHeader:
      config.TRUSTED_PROXIES.length > 0 && config.TRUSTED_PROXIES.every((proxy) => proxy === "cloudflare")
        ? "CF-Connecting-IP"
        : "X-Forwarded-For",
    countryHeader:
      config.COUNTRY_HEADER ?? (config.TRUSTED_PROXIES.includes("cloudflare") ? CLOUDFLARE_COUNTRY_HEADER : null),
    limitsClients: config.RATE_LIMITS === "on",
    workers: availableParallelism(),
    openFiles: openFilesLimit(),
    memoryBytes: config.TLS === "on" ? memoryLimit() : Number.POSITIVE_INFINITY,
    accessLog: "/dev/stdout",
    addressesLoggedUntilMs: config.LOG_CLIENT_ADDRESSES_UNTIL,
    visitsLoggedPercent: config.LOG_VISITS_PERCENT,
    runAsRoot: false,
    ...machine,
  };
}

/** With the settings TLS_PORT and CERTIFICATES_DIR. @param nginxVersion output of `nginx -v` */
export function tlsSettings(
  port: number,
  certificatesDir: string,
  nginxVersion: string,
  sharesTickets = false,
): TlsSettings {
  return {
    port,
    certificatesDir,
    sharesTickets,
    hasHttp2Directive: isAtLeast(nginxVersion, [1, 25, 1]),
    cachesCertificates: isAtLeast(nginxVersion, [1, 27, 4]),
  };
}

/** @param nginxVersion output of `nginx -v` */
export function isAtLeast(nginxVersion: string, [major, minor, patch]: readonly [number, number, number]): boolean {
  const numbers = /\/(\d+)[.](\d+)[.](\d+)/.exec(nginxVersion)?.map(Number) ?? [];
  const [, ownMajor = 0, ownMinor = 0, ownPatch = 0] = numbers;
  return ownMajor * 1_000_000 + ownMinor * 1_000 + ownPatch >= major * 1_000_000 + minor * 1_000 + patch;
}
