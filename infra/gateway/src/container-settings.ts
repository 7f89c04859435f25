import { lookup } from "node:dns/promises";
import { setTimeout as delay } from "node:timers/promises";
import type { Config } from "@tapthru/runtime/config/configs";
import type { Logger } from "@tapthru/runtime/logger";
import {
  type GatewaySettings,
  isAtLeast,
  loginSettings,
  networksOf,
  tlsSettings,
} from "./settings.ts";

/** Facts that are known only in the running container. */
interface ContainerInfo {
  /** Content of /etc/resolv.conf. */
  resolverFile: string;
  /** Output of `nginx -v`. */
  nginxVersion: string;
  /** METRICS_ADDRESS with an IP address; null if it is not set or cannot be resolved. */
  metricsAddress: string | null;
  /** Cores that the container may use. */
  cores: number;
  /** Files that a process may have open. */
  openFiles: number;
  /** Absolute path of the only writable directory. */
  runDirectory: string;
}

/** The gateway's settings in a container: services are found by DNS, and all logs go to stdout and stderr. */
export function containerSettings(
  config: Config<"gateway">,
  container: ContainerInfo,
): GatewaySettings {
  return {
    publicBaseUrl: config.PUBLIC_BASE_URL,
    hstsMaxAge: config.HSTS_MAX_AGE,
    productName: config.PRODUCT_NAME,
    contactEmail: config.CONTACT_EMAIL,
    firebaseWebConfig: config.FIREBASE_WEB_CONFIG,
    login: loginSettings(config),
    hasAmazonAds: config.AMAZON_ADS_CLIENT_ID !== null,
    host: config.HOST,
    port: config.PORT,
    tls:
      config.TLS === "on"
        ? tlsSettings(config.TLS_PORT, config.CERTIFICATES_DIR, container.nginxVersion)
        : null,
    api: [config.API_ADDRESS],
    redirect: [config.REDIRECT_ADDRESS],
    discovery: {
      nameServers: nameServersIn(container.resolverFile),
      inUpstreams: supportsUpstreamResolve(container.nginxVersion),
    },
    appOpeningFile: config.APP_OPENING_FILE,
    web: { root: config.WEB_ROOT },
    trustedProxies: networksOf(config.TRUSTED_PROXIES),
    countryHeader: config.COUNTRY_HEADER,
    limitsClients: config.RATE_LIMITS === "on",
    workers: container.cores,
    openFiles: container.openFiles,
    runDirectory: container.runDirectory,
    accessLog: "/dev/stdout",
    addressesLoggedUntilMs: config.LOG_CLIENT_ADDRESSES_UNTIL,
    metricsAddress: container.metricsAddress,
    runAsRoot: false,
  };
}

function nameServersIn(resolverFile: string): string[] {
  return [...resolverFile.matchAll(/^nameserver\s+(\S+)/gm)].map(([, address = ""]) => address);
}

/** Whether this nginx resolves names in upstream blocks again at run time: 1.27.3 and later. */
export function supportsUpstreamResolve(nginxVersion: string): boolean {
  return isAtLeast(nginxVersion, [1, 27, 3]);
}

const LOOKUPS = 10;
const LOOKUP_PAUSE_MS = 500;

/**
 * Resolves the host of METRICS_ADDRESS. gateway-metrics receives over IPv4 only. After a restart of the machine it may
 * start a few seconds after the gateway.
 * @param hostAndPort "gateway-metrics:5514"
 * @returns "address:port" for nginx. If the name is unknown, it logs a warning and returns null: the gateway runs
 * without metrics.
 */
export async function metricsAddressOf(
  hostAndPort: string,
  logger: Pick<Logger, "warn">,
  pauseMs = LOOKUP_PAUSE_MS,
): Promise<string | null> {
  const [, host = "", port = ""] = /^(.+):(\d+)$/.exec(hostAndPort) ?? [];
  for (let lookups = 1; ; lookups++) {
    try {
      const { address } = await lookup(host, { family: 4 });
      return `${address}:${port}`;
    } catch (err) {
      if (lookups < LOOKUPS) {
        await delay(pauseMs);
        continue;
      }
      logger.warn(
        { event: "gateway_metrics_unavailable", host, err },
        "METRICS_ADDRESS cannot be resolved: requests are not measured",
      );
      return null;
    }
  }
}
