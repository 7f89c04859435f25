import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import getPort, { portNumbers } from "get-port";

/** Systems use ports from 32768 on for outgoing connections and for port 0. */
const FIRST_PORT = 20_000;
const LAST_PORT = 32_767;
const BLOCK_SIZE = 128;
const BLOCK_COUNT = Math.floor((LAST_PORT - FIRST_PORT + 1) / BLOCK_SIZE);

let block: Promise<number> | undefined;
let taken = 0;

/**
 * A free port for a server that starts later or is restarted. The port is outside the ephemeral range, so the system
 * does not assign it to another process in the meantime, and in a block of ports that no other process gets from this
 * function while this process runs.
 */
export async function freePort(): Promise<number> {
  block ??= claimBlock();
  const first = await block;
  const next = first + 1 + (taken++ % (BLOCK_SIZE - 1));
  return getPort({ port: portNumbers(next, first + BLOCK_SIZE - 1) });
}

/** Listens on the first port of a block until the process ends. @returns that port */
async function claimBlock(): Promise<number> {
  const start = randomInt(BLOCK_COUNT);
  for (let i = 0; i < BLOCK_COUNT; i++) {
    const port = FIRST_PORT + ((start + i) % BLOCK_COUNT) * BLOCK_SIZE;
    if (await listens(port)) return port;
  }
  throw new Error("All blocks of ports are in use.");
}

async function listens(port: number): Promise<boolean> {
  const server = createServer().unref().listen({ port, host: "127.0.0.1", exclusive: true });
  try {
    await once(server, "listening");
    return true;
  } catch {
    return false;
  }
}
