import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { findServerPrograms } from "@tapthru/stack/programs/find-programs";
import { compare, type Server, withPeers } from "./compare.ts";
import { createLink, runningStack } from "./running-stack.ts";

const FASTIFY = join(import.meta.dirname, "bare-fastify.ts");
const AGENTS = {
  "a link in memory": "Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/142.0.0.0 Safari/537.36",
  "an app-opening page":
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1",
  "a preview card": "facebookexternalhit/1.1",
};

/** Visits a link of the running stack, beside a Fastify and an nginx that only redirect. */
export async function benchRedirect(): Promise<void> {
  const stack = await runningStack();
  const { shortCode, url } = await createLink(stack);
  const { nginx } = await findServerPrograms();
  await withPeers(async (startPeer, folder) => {
    const fastify = await startPeer(process.execPath, (port) => [FASTIFY, url, String(port)]);
    const bareNginx = await startPeer(nginx, (port) => nginxArguments(folder, url, port));
    const visits = (server: Server, agent: string) => ({
      server,
      wrk: ["-c", "64", "-H", `User-Agent: ${agent}`, `${server.origin}/l/${shortCode}`],
    });
    for (const [label, agent] of Object.entries(AGENTS)) {
      const own = visits(stack.redirect, agent);
      await compare(`${label}, beside a bare Fastify`, own, visits(fastify, agent));
    }
    const [[label = "", agent = ""] = []] = Object.entries(AGENTS);
    await compare(`${label}, beside a bare nginx`, visits(stack.redirect, agent), visits(bareNginx, agent));
  });
}

function nginxArguments(folder: string, location: string, port: number): string[] {
  const file = join(folder, "nginx.conf");
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  writeFileSync(
    file,
    `daemon off;
master_process off;
pid ${folder}/nginx.pid;
error_log stderr error;
events { worker_connections 512; }
http {
  ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join(" ")}
  access_log off;
  keepalive_requests 1000000;
  server {
    listen 127.0.0.1:${port};
    location / { return 302 "${location}"; }
  }
}
`,
  );
  return ["-e", "stderr", "-p", folder, "-c", file];
}
