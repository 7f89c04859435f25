import type { ProxyRange } from "@tapthru/runtime/config/settings";

const RANGES: Readonly<Record<string, string[]>> = {
  loopback: ["127.0.0.0/8", "::1/128"],
  linklocal: ["169.254.0.0/16", "fe80::/10"],
  uniquelocal: ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"],
} satisfies Record<ProxyRange, string[]>;

/** Replaces the names of ranges in TRUSTED_PROXIES with networks, because nginx does not support names. */
export function networksOf(proxies: readonly string[]): string[] {
  return proxies.flatMap((proxy) => RANGES[proxy] ?? [proxy]);
}
