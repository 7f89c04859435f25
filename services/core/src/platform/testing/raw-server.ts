import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import { onTestFinished } from "vitest";

/** A server that sends raw bytes to each connection, until the end of the test. */
export async function startRawServer(
  serve: (socket: Socket) => void,
  { host = "127.0.0.1", port = 0 } = {},
): Promise<{ port: number; url: string; connections: Socket[] }> {
  const connections: Socket[] = [];
  const server = createServer((socket) => {
    connections.push(socket);
    socket.on("error", () => {});
    serve(socket);
  });
  server.listen(port, host);
  await once(server, "listening");
  onTestFinished(async () => {
    for (const socket of connections) socket.destroy();
    server.close();
    await once(server, "close");
  });
  const { port: actualPort } = server.address() as AddressInfo;
  return { port: actualPort, url: `http://127.0.0.1:${actualPort}`, connections };
}

export async function startConnectionCounter(): Promise<{ port: number; connections(): number }> {
  const first = await startRawServer(hangUp);
  const listeners = [first];
  const hasIPv6 = Object.values(networkInterfaces()).some((addresses) =>
    addresses?.some(({ address }) => address === "::1"),
  );
  if (hasIPv6) listeners.push(await startRawServer(hangUp, { host: "::1", port: first.port }));
  return {
    port: first.port,
    connections: () => listeners.reduce((sum, { connections }) => sum + connections.length, 0),
  };
}

function hangUp(socket: Socket): void {
  socket.destroy();
}

export function startServer(respond: (socket: Socket, request: string) => void) {
  return startRawServer((socket) => {
    let request = "";
    socket.setEncoding("latin1").on("data", (text) => {
      request += text;
      if (!request.endsWith("\r\n\r\n")) return;
      respond(socket, request);
      request = "";
    });
  });
}
