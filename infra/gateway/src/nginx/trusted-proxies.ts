import type { ProxyRange } from "@tapthru/runtime/config/values";
import { nginxArgument } from "./nginx-text.ts";

const RANGES: Readonly<Record<string, string[]>> = {
  loopback: ["127.0.0.0/8", "::1/128"],
  linklocal: ["169.254.0.0/16", "fe80::/10"],
  uniquelocal: ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"],
} satisfies Record<ProxyRange, string[]>;

/** Replaces the names of ranges in TRUSTED_PROXIES with networks, because nginx does not support names. */
export function networksOf(proxies: readonly string[]): string[] {
  return proxies.flatMap((proxy) => RANGES[proxy] ?? [proxy]);
}

/** For the http block: addresses of visitors behind trusted proxies, and `$is_from_trusted_proxy`. */
export function trustedProxyDirectives(proxies: readonly string[]): string {
  return `
${proxies.map((proxy) => `set_real_ip_from ${nginxArgument(proxy)};`).join("\n")}
real_ip_header X-Forwarded-For;
real_ip_recursive on;
geo $realip_remote_addr $is_from_trusted_proxy {
  default "";
  ${proxies.map((proxy) => `${nginxArgument(proxy)} 1;`).join("\n  ")}
}`;
}
