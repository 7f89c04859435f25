import { nginxArgument } from "./nginx-text.ts";

/**
 * One JSON line a request, for the http block. It holds no query, no address, no header and no identity
 * provider's id of a user. Where a second replica was asked, `upstreamStatus` and the `upstream…Seconds`
 * are lists: "502, 200". A time to connect of "-" tells that no connection came about, and so nothing was sent.
 */
export function accessLog(path: string): string {
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
log_format json escape=json '{"level":"info","time":"$time_iso8601","service":"gateway",'
  '"requestId":"$request_id","method":"$request_method","path":"$logged_path",'
  '"status":$logged_status,"bytes":$body_bytes_sent,"seconds":$request_time,'
  '"upstreamStatus":"$upstream_status","upstreamSeconds":"$upstream_response_time",'
  '"upstreamConnectSeconds":"$upstream_connect_time"}';
access_log ${nginxArgument(path)} json;`;
}
