import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "./free-port.ts";

/** A Redis server that a test can freeze and kill. It keeps its data when it is started again. */
export interface ControlledRedis {
  url: string;
  start(): Promise<void>;
  freeze(): void;
  resume(): void;
  kill(): Promise<void>;
  isRunning(): boolean;
  /** Kills the server and removes its data. */
  remove(): Promise<void>;
}

export async function createControlledRedis(...settings: string[]): Promise<ControlledRedis> {
  const folder = await mkdtemp(join(tmpdir(), "tapthru-redis-"));
  const port = await freePort();
  let child: ChildProcess | null = null;

  async function kill(): Promise<void> {
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, "exit");
    child.kill("SIGKILL");
    await exited;
  }

  return {
    url: `redis://127.0.0.1:${port}`,
    async start() {
      const program = process.env.TEST_REDIS_SERVER ?? "redis-server";
      const options = ["--port", String(port), "--dir", folder, "--appendonly", "yes"];
      child = spawn(program, [...options, "--save", "", ...settings], { stdio: "ignore" });
      await untilResponsive(port);
    },
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

/** Waits until a server has started, also if it requires a password. */
export async function untilResponsive(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, "127.0.0.1", () => socket.write("PING\r\n"));
    const reply = await Promise.race([once(socket, "data"), once(socket, "close")]).catch(() => []);
    socket.destroy();
    if (/^(\+PONG|-NOAUTH)/.test(String(reply[0]))) return;
    await delay(20);
  }
}
