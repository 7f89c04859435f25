import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** A server that says what it likes to whoever connects, until the test is over. */
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

/** The same, once a request's headers have come; gives them to `answer`. */
export function startServer(answer: (socket: Socket, request: string) => void) {
  return startRawServer((socket) => {
    let request = "";
    socket.setEncoding("latin1").on("data", (text) => {
      request += text;
      if (!request.endsWith("\r\n\r\n")) return;
      answer(socket, request);
      request = "";
    });
  });
}
