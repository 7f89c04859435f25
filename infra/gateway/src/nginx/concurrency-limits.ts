import { IN_PROGRESS_PER_ADDRESS, IN_PROGRESS_PER_REPLICA } from "./limits.ts";

/**
 * For the http block: limits the requests that one client has in progress; further requests get 429. All addresses
 * of an IPv6 /64 network count as one client. Visits are not counted: many visitors may share an address, and a visit
 * has no body and a response that fits into the socket's buffer.
 */
export const CLIENT_CONCURRENCY = `
map $binary_remote_addr $client_network {
  default $binary_remote_addr;
  # An IPv4-mapped IPv6 address.
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
 * For the http block: `$no_replica_available` is set if every replica is at its limit of requests or failed within the
 * last seconds (`fail_timeout`). In both cases nginx logs the name of the upstream group instead of a replica's address
 * and responds with 502; it has no variable that distinguishes them.
 */
export const NO_REPLICA_AVAILABLE = `
# An error page may cause another error: a 502 becomes a 503.
recursive_error_pages on;
map $upstream_addr $no_replica_available {
  volatile;
  default "";
  "~(^|, )(${Object.keys(IN_PROGRESS_PER_REPLICA).join("|")})$" 1;
}`;

/** For locations of error pages: nginx would check the body again there, against the limit of all other locations. */
export const ANY_BODY_SIZE = "client_max_body_size 0;";

/** For the server block: serves the page of a 502, or returns 503 if no replica is available. */
export function badGatewayLocation(directory: string): string {
  return `
location ^~ /_errors/502. {
  internal;
  ${ANY_BODY_SIZE}
  if ($no_replica_available) {
    return 503;
  }
  root ${directory};
}`;
}
