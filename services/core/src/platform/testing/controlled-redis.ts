import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { connect as connectTls } from "node:tls";
import type { Redis } from "ioredis";
import { freePort } from "./free-port.ts";
import type { TestCertificates } from "./test-certificates.ts";

export interface ControlledRedis {
  url: string;
  start(): Promise<void>;
  freeze(): void;
  resume(): void;
  kill(): Promise<void>;
  isRunning(): boolean;
  remove(): Promise<void>;
}

interface ServerOptions {
  /** The server listens with TLS only, and uses it for other nodes. Clients need no certificate. */
  certificates?: TestCertificates | null;
  settings?: readonly string[];
}

export async function startRedis(options: ServerOptions = {}): Promise<ControlledRedis> {
  const { certificates = null, settings = [] } = options;
  const folder = await mkdtemp(join(tmpdir(), "tapthru-redis-"));
  const port = await freePort();
  const listening: [string, string][] = certificates ? tlsSettings(certificates, port) : [["port", String(port)]];
  const dataOptions = ["--dir", folder, "--appendonly", "yes", "--save", ""];
  const listenOptions = listening.flatMap(([name, value]) => [`--${name}`, value]);
  const args = [...listenOptions, ...dataOptions, ...settings];
  let child: ChildProcess | null = null;

  async function kill(): Promise<void> {
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, "exit");
    child.kill("SIGKILL");
    await exited;
  }

  async function start(): Promise<void> {
    const program = process.env.TEST_REDIS_SERVER ?? "redis-server";
    child = spawn(program, args, { stdio: "ignore" });
    await untilResponsive(port, certificates);
  }

  await start();
  return {
    url: `${certificates ? "rediss" : "redis"}://127.0.0.1:${port}`,
    start,
    freeze: () => void child?.kill("SIGSTOP"),
    resume: () => void child?.kill("SIGCONT"),
    kill,
    isRunning: () => child !== null && child.exitCode === null && child.signalCode === null,
    async remove() {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function tlsSettings({ files }: TestCertificates, port: number): [string, string][] {
  return [
    ["port", "0"],
    ["tls-port", String(port)],
    ["tls-cert-file", files.certificate],
    ["tls-key-file", files.key],
    ["tls-ca-cert-file", files.authority],
    ["tls-auth-clients", "no"],
    ["tls-replication", "yes"],
  ];
}

async function untilResponsive(port: number, certificates: TestCertificates | null): Promise<void> {
  const address = { host: "127.0.0.1", port };
  const ping = () => void socket.write("PING\r\n");
  let socket: Socket;
  for (;;) {
    socket = certificates ? connectTls({ ...address, ca: certificates.authority }, ping) : connect(address, ping);
    const reply = await Promise.race([once(socket, "data"), once(socket, "close")]).catch(() => []);
    socket.destroy();
    if (/^(\+PONG|-NOAUTH)/.test(String(reply[0]))) return;
    await delay(20);
  }
}

/** Waits until the replica of a master has all its data: Redis acknowledges a write before that. */
export async function untilReplicated(master: Redis): Promise<void> {
  for (;;) {
    const info = await master.info("replication");
    const [, written] = /^master_repl_offset:(\d+)/m.exec(info) ?? [];
    const [, replicated] = /^slave0:.*\boffset=(\d+)/m.exec(info) ?? [];
    if (written !== undefined && written === replicated) return;
    await delay(20);
  }
}
