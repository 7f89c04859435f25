import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { pipeline } from "node:stream";
import { freePort } from "@tapthru/runtime/testing/free-port";
import { startEmulator } from "../emulator/emulator.ts";
import { createStack } from "../stack/stack.ts";
import { printError } from "../user-facing-error.ts";
import { createTestRun } from "./test-run.ts";

export interface TestEmulator {
  /** "host:port" */
  host: string;
  stop(): Promise<void>;
}

/**
 * The Firebase emulator, without an account at first, at an address that can be had at once. It starts,
 * for seconds, with the first connection, so make that in a hook: tests that need no accounts do not
 * wait for it.
 */
export async function startTestEmulator(): Promise<TestEmulator> {
  const sockets = new Set<Socket>();
  let emulator: Promise<RunningEmulator> | null = null;

  const server = createServer(async (near) => {
    sockets.add(near);
    near.once("close", () => sockets.delete(near));
    near.on("error", () => {});
    emulator ??= startOnFreePorts();
    try {
      const { port } = await emulator;
      if (!near.destroyed) pipeline(near, connect(port, "127.0.0.1"), near, () => {});
    } catch (error) {
      printError(error);
      near.destroy();
    }
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;

  return {
    host: `127.0.0.1:${port}`,
    async stop() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await emulator?.then(({ stop }) => stop());
    },
  };
}

interface RunningEmulator {
  port: number;
  stop(): Promise<void>;
}

async function startOnFreePorts(): Promise<RunningEmulator> {
  const run = await createTestRun();
  const stack = createStack(run.ledger);
  // An interrupted Vitest does not come to its teardown.
  process.once("exit", stack.kill);
  const stop = async () => {
    await stack.stop();
    await run.remove();
  };
  const port = await freePort();
  try {
    await startEmulator(
      {
        projectId: "demo-tapthru",
        port,
        hubPort: await freePort(),
        loggingPort: await freePort(),
        homeDir: join(run.folder, "emulator"),
        exportsDir: null,
        logFile: join(run.folder, "emulator.log"),
      },
      stack,
    );
  } catch (error) {
    await stop();
    throw error;
  }
  return { port, stop };
}
