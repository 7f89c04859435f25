import { IN_PROGRESS_PER_ADDRESS, IN_PROGRESS_PER_REPLICA } from "./limits.ts";

/**
 * For the http block: one client has so many requests in progress, and more are refused with 429. A client has
 * all addresses of an IPv6 /64 network. Visits are not counted, because many visitors may share an address, and a
 * visit has no body and a reply that fits into the socket's buffer.
 */
export const CLIENT_CONCURRENCY = `
map $binary_remote_addr $client_network {
  default $binary_remote_addr;
  # An IPv4 address in IPv6 form.
  "~^\\x00{10}\\xff\\xff" $binary_remote_addr;
  "~^(?<network>(?s:.){8})(?s:.){8}$" $network;
}
map $uri $counted_client {
  default $client_network;
  "~^/l/(?![^/]+/outcome$)" "";
}
limit_conn_zone $counted_client zone=clients:10m;
limit_conn clients ${IN_PROGRESS_PER_ADDRESS};
limit_conn_status 429;
limit_conn_log_level info;`;

/**
 * For the http block: `$replicas_are_busy` where every replica has all the requests that it may have. nginx names
 * the group in place of a replica then, and calls it a 502.
 */
export const BUSY_REPLICAS = `
# The page of one error may end in another: a 502 in a 503.
recursive_error_pages on;
map $upstream_addr $replicas_are_busy {
  volatile;
  default "";
  "~(^|, )(${Object.keys(IN_PROGRESS_PER_REPLICA).join("|")})$" 1;
}`;

/** For the server block: the page of a 502, or a 503 where the replicas are only busy. */
export function busyErrorLocation(directory: string): string {
  return `
location ^~ /_errors/502. {
  internal;
  if ($replicas_are_busy) {
    return 503;
  }
  root ${directory};
}`;
}
