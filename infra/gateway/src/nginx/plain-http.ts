import { nginxArgument } from "./nginx-text.ts";

/**
 * For the http block: `$is_plain_http` is set if the site uses https and a trusted proxy reports that the visitor used
 * http. X-Forwarded-Proto of other clients is ignored: it could cause a redirect loop.
 */
export function plainHttp(publicUrl: URL): string {
  return `
map "$is_from_trusted_proxy $http_x_forwarded_proto" $is_plain_http {
  default "";
  ${publicUrl.protocol === "https:" ? '"~*^1 http *(,|$)" 1;' : ""}
}`;
}

/** For the server block: redirects requests with `$is_plain_http`. */
export function redirectToHttps(publicUrl: URL): string {
  return `
if ($is_plain_http) {
  return 301 ${nginxArgument(publicUrl.origin).slice(0, -1)}$request_uri";
}`;
}
