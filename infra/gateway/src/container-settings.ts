import { join } from "node:path";
import type { Config } from "./config.ts";
import type { GatewaySettings } from "./settings.ts";
import { networksOf } from "./trusted-proxies.ts";

/** What a container knows only once it runs. */
interface Surroundings {
  /** The text of /etc/resolv.conf. */
  resolverFile: string;
  /** What `nginx -v` says. */
  nginxVersion: string;
  /** Of METRICS_ADDRESS, by IP address; null where there is none. */
  metricsAddress: string | null;
  /** That the container may use. */
  cores: number;
  /** That a process may have. */
  openFiles: number;
  /** Absolute; the one place that may be written. */
  runDirectory: string;
}

/** The gateway in a container: the services have names, and all logs go to the container's own. */
export function containerSettings(config: Config, around: Surroundings): GatewaySettings {
  return {
    environment: config.TAPTHRU_ENV,
    publicBaseUrl: config.PUBLIC_BASE_URL,
    productName: config.PRODUCT_NAME,
    contactEmail: config.CONTACT_EMAIL,
    firebaseWebConfig: config.FIREBASE_WEB_CONFIG,
    emulator: config.FIREBASE_AUTH_EMULATOR_HOST,
    host: config.HOST,
    port: config.PORT,
    sharesPort: config.SHARE_PORT === "on",
    healthSocket: join(around.runDirectory, "health.sock"),
    api: [config.API_ADDRESS],
    redirect: [config.REDIRECT_ADDRESS],
    discovery: {
      nameServers: nameServersIn(around.resolverFile),
      inUpstreams: supportsUpstreamResolve(around.nginxVersion),
    },
    appOpeningFile: config.APP_OPENING_FILE,
    web: { root: config.WEB_ROOT },
    trustedProxies: networksOf(config.TRUSTED_PROXIES),
    limitsClients: config.RATE_LIMITS === "on",
    workers: around.cores,
    openFiles: around.openFiles,
    runDirectory: around.runDirectory,
    accessLog: "/dev/stdout",
    addressesLoggedUntilMs: config.LOG_CLIENT_ADDRESSES_UNTIL,
    metricsAddress: around.metricsAddress,
    runAsRoot: false,
  };
}

function nameServersIn(resolverFile: string): string[] {
  return [...resolverFile.matchAll(/^nameserver\s+(\S+)/gm)].map(([, address = ""]) => address);
}

/** Since 1.27.3. */
export function supportsUpstreamResolve(nginxVersion: string): boolean {
  const numbers = /\/(\d+)[.](\d+)[.](\d+)/.exec(nginxVersion)?.map(Number) ?? [];
  const [, major = 0, minor = 0, patch = 0] = numbers;
  return major * 1_000_000 + minor * 1_000 + patch >= 1_027_003;
}
