import { indented, nginxArgument } from "./nginx-text.ts";

/** How requests go to the services, for the http block. A service's answer is never replaced. */
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
# A visitor who reads slowly holds the service up, and fills no disk.
proxy_max_temp_file_size 0;
# A machine that is gone does not respond at all, and TCP itself retries only after a second.
proxy_connect_timeout 500ms;
proxy_send_timeout 10s;
proxy_read_timeout 10s;
# Never for POST and PATCH: nginx repeats those only where "non_idempotent" is named too.
proxy_next_upstream error timeout;
proxy_next_upstream_tries 2;
proxy_next_upstream_timeout 10s;`;
}

/** Everything else from Vite's dev server, with the websocket by which it reloads the page. */
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

/** Who asks and for which site. What a client claims of itself in these headers goes no further. */
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
