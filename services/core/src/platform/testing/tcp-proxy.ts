import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { freePort } from "./free-port.ts";

export interface TcpProxy {
  url: string;
  /** Holds all data in both directions. Connections stay open, and new ones are accepted. */
  hold(): void;
  holdResponses(): void;
  release(): void;
  drain(): Promise<void>;
  refuse(): Promise<void>;
  accept(): Promise<void>;
}

export async function createTcpProxy(serverUrl: string): Promise<TcpProxy> {
  const target = new URL(serverUrl);
  const sockets = new Set<Socket>();
  const upstreams = new Set<Socket>();
  let isHeld = false;
  let areResponsesHeld = false;

  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    client.pipe(upstream).pipe(client);
    upstreams.add(upstream);
    upstream.once("close", () => upstreams.delete(upstream));
    if (areResponsesHeld) upstream.pause();
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      if (isHeld) holdSocket(socket);
      socket.on("error", () => {});
      socket.once("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
  });
  const port = await freePort();
  await once(server.listen(port, "127.0.0.1"), "listening");
  const url = new URL(serverUrl);
  url.hostname = "127.0.0.1";
  url.port = String(port);

  return {
    url: url.href,
    hold() {
      isHeld = true;
      for (const socket of sockets) holdSocket(socket);
    },
    holdResponses() {
      areResponsesHeld = true;
      for (const upstream of upstreams) upstream.pause();
    },
    release() {
      isHeld = false;
      areResponsesHeld = false;
      for (const socket of sockets) socket.uncork();
      for (const socket of sockets) socket.resume();
    },
    async drain() {
      await Promise.all([...sockets].map((socket) => once(socket, "close")));
    },
    async refuse() {
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    async accept() {
      await once(server.listen(port, "127.0.0.1"), "listening");
    },
  };
}

function holdSocket(socket: Socket): void {
  socket.cork();
  socket.pause();
}
