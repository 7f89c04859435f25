import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { pipeline } from "node:stream";
import { freePort } from "@tapthru/runtime/testing/free-port";
import { printError } from "@tapthru/runtime/user-facing-error";
import { startEmulator } from "../emulator/emulator.ts";
import { startTemporarily } from "../processes/start-temporarily.ts";

/**
 * A Firebase emulator without accounts. Its address ("host:port") is known at once; it starts with the first
 * connection, which takes seconds, so connect in a hook. Tests without accounts do not wait for it.
 */
export async function startTestEmulator(): Promise<{ host: string; stop(): Promise<void> }> {
  const sockets = new Set<Socket>();
  let emulator: ReturnType<typeof startOnFreePorts> | undefined;
  const server = createServer(async (client) => {
    sockets.add(client);
    client.once("close", () => sockets.delete(client));
    client.on("error", () => {});
    emulator ??= startOnFreePorts();
    try {
      const { port } = await emulator;
      if (!client.destroyed) pipeline(client, connect(port, "127.0.0.1"), client, () => {});
    } catch (error) {
      printError(error);
      client.destroy();
    }
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await (await emulator)?.stop();
    },
  };
}

function startOnFreePorts() {
  return startTemporarily(async (folder, stack) => {
    const port = await freePort();
    await startEmulator(
      {
        projectId: "demo-tapthru",
        port,
        hubPort: await freePort(),
        loggingPort: await freePort(),
        homeDir: join(folder, "emulator"),
        exportsDir: null,
        logFile: join(folder, "emulator.log"),
      },
      stack,
    );
    return { port };
  });
}
