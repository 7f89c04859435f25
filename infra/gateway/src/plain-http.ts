import { nginxArgument } from "./nginx-text.ts";

/**
 * For the http block: `$is_plain_http` where a trusted proxy says that the visitor came by http to a site of https.
 * What others say counts for nothing: it could send them in circles.
 */
export function plainHttp(publicUrl: URL, trustedProxies: readonly string[]): string {
  const rows = trustedProxies.map((proxy) => `${nginxArgument(proxy)} 1;`);
  return `
geo $realip_remote_addr $is_from_trusted_proxy {
  default "";
  ${rows.join("\n  ")}
}
map "$is_from_trusted_proxy $http_x_forwarded_proto" $is_plain_http {
  default "";
  ${publicUrl.protocol === "https:" ? '"~*^1 http *(,|$)" 1;' : ""}
}`;
}

/** For the server block. */
export function redirectToHttps(publicUrl: URL): string {
  return `
if ($is_plain_http) {
  return 301 ${nginxArgument(publicUrl.origin).slice(0, -1)}$request_uri";
}`;
}
