import { COUNTED_ROUTES } from "./counted-routes.ts";
import { loggedAddresses } from "./logged-addresses.ts";
import { nginxArgument } from "./nginx-text.ts";

/**
 * One JSON line a request, for the http block. It holds no query, no header, no identity provider's id of a user,
 * and, except until `addressesUntilMs`, no client's address. Where a second replica was asked, `upstreamStatus` and
 * the `upstream…Seconds` are lists: "502, 200". A time to connect of "-" tells that no connection came about, and so
 * nothing was sent.
 */
export function accessLog(path: string, addressesUntilMs: number | null): string {
  const file = nginxArgument(path);
  return `
map $request_uri $logged_path {
  ~*^/[^?]*/users/ /api/users/:firebaseUid;
  ~^(?<path>[^?]*) $path;
}
# nginx writes 000 for a connection that ended before any answer, and JSON knows no such number.
map $status $logged_status {
  default $status;
  ~^0 0;
}
log_format json escape=json '${START}'
  ${FIELDS};
${
  addressesUntilMs === null
    ? `access_log ${file} json;`
    : `${loggedAddresses(addressesUntilMs)}
log_format json_with_address escape=json '${START}"clientAddress":"$remote_addr",'
  ${FIELDS};
access_log ${file} json_with_address if=$logs_address;
access_log ${file} json if=$logs_no_address;`
}`;
}

const START = '{"level":"info","time":"$time_iso8601","service":"gateway",';
const FIELDS = `'"requestId":"$request_id","method":"$request_method","path":"$logged_path",'
  '"status":$logged_status,"bytes":$body_bytes_sent,"seconds":$request_time,'
  '"upstreamStatus":"$upstream_status","upstreamSeconds":"$upstream_response_time",'
  '"upstreamConnectSeconds":"$upstream_connect_time"}'`;

/**
 * A record of each request for metrics (metrics/record.ts), by syslog over UDP, for the http block. It holds no path.
 * nginx drops records while nobody receives them, and no request waits for that.
 * @param address "host:port", by IP address: nginx looks a name up only once, and does not start without it
 * @param maxConnections that this nginx can hold
 */
export function metricsLog(address: string, maxConnections: number): string {
  const routes = COUNTED_ROUTES.map(({ route, pattern }) => `  "~${pattern}" "${route}";`);
  return `
map $request $counted_route {
${routes.join("\n")}
}
log_format metrics escape=json '{"route":"$counted_route","method":"$request_method",'
  '"status":$logged_status,"seconds":$request_time,"upstreamStatus":"$upstream_status",'
  '"upstreamSeconds":"$upstream_response_time","busy":"$replicas_are_busy","connections":$connections_active,'
  '"maxConnections":${maxConnections}}';
access_log ${nginxArgument(`syslog:server=${address},tag=gateway,nohostname`)} metrics;`;
}
