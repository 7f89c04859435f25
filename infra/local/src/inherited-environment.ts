import type { LoginRole } from "@tapthru/postgres/login-roles";
import { commonSettings, tracingSettings } from "@tapthru/runtime/settings";

/** Read by Node, by the system's libraries and by OpenTelemetry themselves. */
const OF_OTHERS = [
  ...["PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR"],
  ...["NODE_ENV", "NODE_OPTIONS", "NODE_EXTRA_CA_CERTS"],
  ...["HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY", "https_proxy", "http_proxy", "no_proxy"],
  ...["OTEL_EXPORTER_OTLP_HEADERS", "OTEL_RESOURCE_ATTRIBUTES"],
];

/** Beside those that `start` itself sets. */
const OWN_SETTINGS: Record<LoginRole, readonly string[]> = {
  api: ["RATE_LIMITS", "AMAZON_ADS_CLIENT_ID", "AMAZON_ADS_CLIENT_SECRET"],
  redirect: ["RATE_LIMITS"],
  worker: [
    "METADATA_PAGE_FETCH",
    "AMAZON_CREATORS_CLIENT_ID",
    "AMAZON_CREATORS_CLIENT_SECRET",
    "AMAZON_CREATORS_VERSION",
    "AMAZON_CREATORS_PARTNER_TAGS",
  ],
};

/**
 * What a service gets of our environment: its own settings, never another service's secrets, nor
 * whatever else is in the shell that runs `start`.
 */
export function inheritedEnvironment(
  service: LoginRole,
  environment: NodeJS.ProcessEnv,
): NodeJS.ProcessEnv {
  const settings = [commonSettings, tracingSettings].flatMap(Object.keys);
  const own = [...settings, ...OWN_SETTINGS[service]].flatMap((name) => [name, `${name}_FILE`]);
  const names = new Set([...OF_OTHERS, ...own]);
  return Object.fromEntries(Object.entries(environment).filter(([name]) => names.has(name)));
}
