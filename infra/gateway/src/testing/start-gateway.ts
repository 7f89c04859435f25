import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import type { RequestListener } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { readConfig } from "@tapthru/core/platform/config/configs";
import { freePort } from "@tapthru/core/platform/testing/free-port";
import { createTestAuthority } from "@tapthru/core/platform/testing/test-certificates";
import { afterAll, onTestFinished, vi } from "vitest";
import { nginxArguments, renderGateway } from "../render.ts";
import { type GatewaySettings, gatewaySettings, isAtLeast } from "../settings.ts";
import { type ReceivedResponse, type RequestOptions, sendRequest } from "./send-request.ts";
import { echo, type ReceivedRequest, startUpstream, upstreamForTest } from "./upstream.ts";

export interface RunningGateway {
  url: string;
  port: number;
  send(path: string, options?: RequestOptions): Promise<ReceivedResponse>;
  /** The requests that the responding service received. */
  received(path: string, options?: RequestOptions): Promise<ReceivedRequest>;
  /** The access log, once it has that many lines: nginx writes a line after the response. */
  accessLog(lines: number): Promise<string[]>;
  errorLog(): string;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

const NGINX = process.env.TEST_NGINX ?? "nginx";
const NGINX_VERSION = spawnSync(NGINX, ["-v"], { encoding: "utf8" }).stderr;
export const RESOLVES_IN_UPSTREAMS: boolean = isAtLeast(NGINX_VERSION, [1, 27, 3]);

const WAIT = { timeout: 60_000 };

const INLINE_SCRIPT = 'document.documentElement.dataset.theme = "system"';

const SCRIPT = `console.log("${"x".repeat(4000)}")`;

const INDEX_HTML = `<!doctype html><head><title>Built title</title><script>${INLINE_SCRIPT}</script></head><p>The SPA</p>`;

const WEB_FILES = {
  "index.html": INDEX_HTML,
  "home.html": `${INDEX_HTML}<p>Home of {product name}</p>`,
  "dashboard.html": `${INDEX_HTML}<p>Dashboard of {product name}</p>`,
  "version.txt": "abc1234\n",
  "favicon.svg": "<svg/>",
  "assets/app-B3c9.js": SCRIPT,
  "assets/app-B3c9.js.br": brotliCompressSync(SCRIPT),
  "assets/app-B3c9.js.gz": gzipSync(SCRIPT),
  "assets/small-B3c9.css": "p{}",
  "assets/app-B3c9.js.map": "{}",
  ".env": "SECRET=1",
};

/** Starts a real nginx with the rendered configuration. Unless overridden, the services are echo servers. */
export async function startGateway(overrides: Partial<GatewaySettings> = {}): Promise<RunningGateway> {
  const directory = await mkdtemp(join(tmpdir(), "tapthru-gateway-"));
  const webRoot = join(directory, "dist");
  await mkdir(join(webRoot, "assets"), { recursive: true });
  for (const [path, content] of Object.entries(WEB_FILES)) {
    await writeFile(join(webRoot, path), content);
  }
  const services = await Promise.all(["api", "redirect"].map((name) => startUpstream(echo(name))));
  const [api = "", redirect = ""] = services.map((service) => service.address);
  const port = overrides.PORT ?? (await freePort());
  const accessLog = join(directory, "access.log");
  const config = readConfig("gateway", {
    PUBLIC_BASE_URL: "https://links.example",
    TAPTHRU_ENV: "local",
    CONTACT_EMAIL: "hello@links.example",
    API_ADDRESS: api,
    REDIRECT_ADDRESS: redirect,
    WEB_ROOT: webRoot,
    PORT: String(port),
  });
  const settings = gatewaySettings(config, {
    nginxVersion: NGINX_VERSION,
    nameServers: null,
    metricsAddress: null,
    runDirectory: join(directory, "run"),
    accessLog,
    memoryBytes: Number.POSITIVE_INFINITY,
    runAsRoot: process.getuid?.() === 0,
    ...overrides,
  });
  await renderGateway(settings, directory);
  let errors = "";
  async function startNginx(): Promise<{ end(): Promise<unknown> }> {
    const nginx = spawn(NGINX, nginxArguments(directory), { stdio: ["ignore", "ignore", "pipe"] });
    const exited = once(nginx, "exit");
    nginx.stderr.setEncoding("utf8").on("data", (chunk) => {
      errors += chunk;
    });
    const failed = once(nginx, "close").then(() => {
      throw new Error(`nginx ended: ${errors}`);
    });
    await Promise.race([failed, vi.waitFor(() => acceptsConnections(port), WAIT)]);
    failed.catch(() => {});
    return {
      end() {
        nginx.kill("SIGTERM");
        return exited;
      },
    };
  }
  let nginx = await startNginx();

  const url = `http://127.0.0.1:${port}`;
  const send = (path: string, options?: RequestOptions) => sendRequest(`${url}${path}`, options);
  return {
    url,
    port,
    send,
    received: async (path, options) => JSON.parse((await send(path, options)).text),
    accessLog: (count) =>
      vi.waitUntil(async () => {
        const lines = (await readFile(accessLog, "utf8")).split("\n").slice(0, -1);
        return lines.length >= count && lines;
      }, WAIT),
    errorLog: () => errors,
    async restart() {
      await nginx.end();
      nginx = await startNginx();
    },
    async stop() {
      await nginx.end();
      for (const service of services) service.stop();
      await rm(directory, { recursive: true });
    },
  };
}

/** The same, until the test ends. */
export async function gatewayForTest(overrides: Partial<GatewaySettings> = {}): Promise<RunningGateway> {
  const gateway = await startGateway(overrides);
  onTestFinished(gateway.stop);
  return gateway;
}

/** The same, for all tests of the file. */
export async function sharedGateway(overrides: Partial<GatewaySettings> = {}): Promise<RunningGateway> {
  const gateway = await startGateway(overrides);
  afterAll(gateway.stop);
  return gateway;
}

/** Starts one service behind a gateway, as both the api and the redirect. Both stop when the test ends. */
export async function gatewayOfService(handler: RequestListener): Promise<RunningGateway> {
  const { address } = await upstreamForTest(handler);
  return gatewayForTest({ api: [address], redirect: [address] });
}

async function acceptsConnections(port: number) {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  socket.destroy();
}

/** Certificates of an authority of tests, in the directory from which a gateway reads them, until the tests of the file end. */
export async function createCertificates(...hosts: readonly string[]) {
  const directory = await mkdtemp(join(tmpdir(), "tapthru-certificates-"));
  afterAll(() => rm(directory, { recursive: true }));
  const authority = await createTestAuthority();
  async function write(host: string): Promise<void> {
    const { key, certificate } = await authority.issue(host);
    await writeFile(join(directory, `${host}.pem`), `${key}\n${certificate}`);
  }
  for (const host of hosts) await write(host);
  return { directory, ca: authority.certificate, write };
}
