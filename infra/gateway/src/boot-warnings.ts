import type { LogEvent } from "@tapthru/runtime/logger";
import type { GatewaySettings } from "./settings.ts";

interface BootWarning {
  event: LogEvent;
  /** ISO 8601. */
  until?: string;
  message: string;
}

/** What an operator should know about settings that are valid. */
export function bootWarnings(
  {
    addressesLoggedUntilMs: untilMs,
    countryHeader,
    discovery,
    trustedProxies,
  }: Pick<
    GatewaySettings,
    "addressesLoggedUntilMs" | "countryHeader" | "discovery" | "trustedProxies"
  >,
  now: number,
): BootWarning[] {
  const warnings: BootWarning[] = [];
  if (untilMs !== null && untilMs > now) {
    const until = new Date(untilMs).toISOString();
    warnings.push({
      event: "client_addresses_logged",
      until,
      message: "client addresses are logged",
    });
  }
  if (discovery !== null && !discovery.inUpstreams) {
    warnings.push({
      event: "replicas_not_limited",
      message: "this nginx has no limit of requests per replica: 1.27.3 or later is needed",
    });
  }
  if (countryHeader !== null && trustedProxies.length === 0) {
    warnings.push({
      event: "country_header_ignored",
      message: "COUNTRY_HEADER has no effect without TRUSTED_PROXIES",
    });
  }
  return warnings;
}
