import { loggedAddresses } from "./logged-addresses.ts";
import { nginxArgument } from "./nginx-text.ts";

/**
 * The access log, for the http block: one JSON line per request. A line has no query, no header and no Firebase uid.
 * It has the client's address only until `addressesUntilMs`. If nginx tried a second replica, `upstreamStatus` and
 * the `upstream…Seconds` are lists: "502, 200". An `upstreamConnectSeconds` of "-" means that no connection was
 * established, so nothing was sent. Each worker writes its lines together, within a second.
 */
export function accessLog(path: string, addressesUntilMs: number | null): string {
  const file = nginxArgument(path);
  return `
map $request_uri $logged_path {
  ~*^/[^?]*/users/ /api/users/:firebaseUid;
  ~^(?<path>[^?]*) $path;
}
# For an error page nginx makes a GET of the request.
map $request $logged_method {
  default $request_method;
  "~^(?<method>[A-Z]+) " $method;
}
# nginx writes 000 for a connection that ended before a response. 000 is not a JSON number.
map $status $logged_status {
  default $status;
  ~^0 0;
}
log_format json escape=json '${LINE_START}'
  ${LINE_FIELDS};
${
  addressesUntilMs === null
    ? `access_log ${file} json ${BUFFER};`
    : `${loggedAddresses(addressesUntilMs)}
log_format json_with_address escape=json '${LINE_START}"clientAddress":"$remote_addr",'
  ${LINE_FIELDS};
access_log ${file} json_with_address ${BUFFER} if=$logs_address;
access_log ${file} json ${BUFFER} if=$logs_no_address;`
}`;
}

/** A pipe, such as a container's stdout, mixes up what several workers write beyond 4 kB at once (PIPE_BUF). */
const BUFFER = "buffer=4k flush=1s";

const LINE_START = '{"level":"info","time":"$time_iso8601","service":"gateway",';
const LINE_FIELDS = `'"requestId":"$request_id","method":"$logged_method","path":"$logged_path",'
  '"status":$logged_status,"bytes":$body_bytes_sent,"seconds":$request_time,'
  '"upstreamStatus":"$upstream_status","upstreamSeconds":"$upstream_response_time",'
  '"upstreamConnectSeconds":"$upstream_connect_time"}'`;

/**
 * The log for metrics (metrics/record.ts), for the http block: one record per request, without its path, sent by
 * syslog over UDP. If nothing receives the records, nginx drops them and requests do not wait.
 * @param address "host:port" with an IP address: nginx resolves a name only at start and fails if it is unknown
 * @param maxConnections client connections that this nginx can hold
 */
export function metricsLog(address: string, maxConnections: number): string {
  return `
log_format metrics escape=json '{"route":"$counted_route","method":"$logged_method",'
  '"status":$logged_status,"seconds":$request_time,"upstreamStatus":"$upstream_status",'
  '"upstreamSeconds":"$upstream_response_time","noReplica":"$no_replica_available","connections":$connections_active,'
  '"maxConnections":${maxConnections}}';
access_log ${nginxArgument(`syslog:server=${address},tag=gateway,nohostname`)} metrics;`;
}
