import type { Logger } from "@tapthru/core/platform/logger";
import type { GatewaySettings } from "./settings.ts";

type Settings = Pick<GatewaySettings, "LOG_CLIENT_ADDRESSES_UNTIL" | "countryHeader" | "trustedProxies">;

/** Logs what an operator should know about settings that are valid. */
export function logBootWarnings(settings: Settings, logger: Pick<Logger, "warn">): void {
  const { LOG_CLIENT_ADDRESSES_UNTIL: untilMs, countryHeader, trustedProxies } = settings;
  if (untilMs !== null && untilMs > Date.now()) {
    const until = new Date(untilMs).toISOString();
    logger.warn({ event: "client_addresses_logged", until }, "client addresses are logged");
  }
  if (countryHeader !== null && trustedProxies.length === 0) {
    logger.warn({ event: "country_header_ignored" }, "COUNTRY_HEADER has no effect without TRUSTED_PROXIES");
  }
}
