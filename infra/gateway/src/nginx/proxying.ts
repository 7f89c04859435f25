import { indented, nginxArgument } from "./nginx-text.ts";

/** Proxying to the services, for the http block. Error responses of services are passed on unchanged. */
export function proxying(publicUrl: URL): string {
  return `
${forwardedHeaders(publicUrl)}
proxy_set_header Connection "";
proxy_http_version 1.1;
proxy_redirect off;
proxy_intercept_errors off;
proxy_buffer_size 16k;
proxy_buffers 4 16k;
proxy_busy_buffers_size 32k;
# A slow reader slows the service down instead of filling the disk.
proxy_max_temp_file_size 0;
# A host that is down does not respond at all; TCP's first retry comes after one second.
proxy_connect_timeout 500ms;
proxy_send_timeout 10s;
proxy_read_timeout 10s;
# POST and PATCH are never retried: that would need "non_idempotent".
proxy_next_upstream error timeout;
proxy_next_upstream_tries 2;
proxy_next_upstream_timeout 10s;`;
}

/** For the http block, with `devServerLocation` in the server block. */
export const DEV_SERVER_CONNECTION = `
map $http_upgrade $dev_server_connection {
  default upgrade;
  "" "";
}`;

/** Proxies everything else to Vite's dev server, including its websocket for reloads. */
export function devServerLocation(address: string, publicUrl: URL): string {
  return `
location / {
  ${indented(1, forwardedHeaders(publicUrl))}
  proxy_set_header Upgrade $http_upgrade;
  proxy_set_header Connection $dev_server_connection;
  proxy_read_timeout 1h;
  proxy_pass ${nginxArgument(`http://${address}`)};
}`;
}

/** The client's address and the site's origin. Values that a client sends in these headers are discarded. */
export function forwardedHeaders(publicUrl: URL): string {
  return `
proxy_set_header Host ${nginxArgument(publicUrl.host)};
proxy_set_header X-Forwarded-For $remote_addr;
proxy_set_header X-Forwarded-Host "";
proxy_set_header X-Forwarded-Proto ${publicUrl.protocol.slice(0, -1)};
proxy_set_header X-Real-IP "";
proxy_set_header Forwarded "";
proxy_set_header X-Request-Id $request_id;
proxy_set_header X-Request-Start $msec;`;
}
