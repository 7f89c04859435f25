import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { indented, nginxArgument } from "@tapthru/gateway/nginx/nginx-text";
import { temporaryPaths } from "@tapthru/gateway/run-files";

/**
 * Writes the configuration of an nginx that sends a redirect on one port, and on another port proxies to a server
 * that sends one.
 * @returns the arguments of nginx
 */
export async function writeBareNginx(
  folder: string,
  ports: { redirecting: number; proxying: number; upstream: number },
  location: string,
): Promise<string[]> {
  const file = join(folder, "bare-nginx.conf");
  await writeFile(
    file,
    `worker_processes 1;
daemon off;
pid ${nginxArgument(join(folder, "bare-nginx.pid"))};
error_log stderr error;
events { worker_connections 512; }
http {
  ${indented(1, temporaryPaths(folder))}
  access_log off;
  keepalive_requests 1000000;
  upstream bare { server 127.0.0.1:${ports.upstream}; keepalive 64; }
  server {
    listen 127.0.0.1:${ports.redirecting};
    location / { return 302 ${location}; }
  }
  server {
    listen 127.0.0.1:${ports.proxying};
    location / {
      proxy_pass http://bare;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
    }
  }
}
`,
  );
  return ["-e", "stderr", "-p", `${folder}/`, "-c", file];
}
