/**
 * The networks of well-known proxies.
 * - `cloudflare`: https://www.cloudflare.com/ips-v4 and https://www.cloudflare.com/ips-v6, as of 2026-10-05. Compare them before
 *   each release. From a network that is missing here, visitors count as one.
 * - `google`: the load balancers of Google Cloud and GKE, https://cloud.google.com/load-balancing/docs/firewall-rules.
 */
const NETWORKS = {
  cloudflare: [
    "173.245.48.0/20",
    "103.21.244.0/22",
    "103.22.200.0/22",
    "103.31.4.0/22",
    "141.101.64.0/18",
    "108.162.192.0/18",
    "190.93.240.0/20",
    "188.114.96.0/20",
    "197.234.240.0/22",
    "198.41.128.0/17",
    "162.158.0.0/15",
    "104.16.0.0/13",
    "104.24.0.0/14",
    "172.64.0.0/13",
    "131.0.72.0/22",
    "2400:cb00::/32",
    "2606:4700::/32",
    "2803:f800::/32",
    "2405:b500::/32",
    "2405:8100::/32",
    "2a06:98c0::/29",
    "2c0f:f248::/32",
  ],
  google: ["35.191.0.0/16", "130.211.0.0/22", "2600:2d00:1:1::/64", "2600:2d00:1:b029::/64"],
  loopback: ["127.0.0.0/8", "::1/128"],
  linklocal: ["169.254.0.0/16", "fe80::/10"],
  uniquelocal: ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"],
} as const;

const named: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(NETWORKS));

export const PROXY_RANGES: readonly string[] = [...named.keys()];

export function networksOf(proxies: readonly string[]): string[] {
  return proxies.flatMap((proxy) => named.get(proxy) ?? [proxy]);
}
