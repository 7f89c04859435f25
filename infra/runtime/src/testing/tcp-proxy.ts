import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { freePort } from "./free-port.ts";

/** A server's address with a way of failing: what it does to a service, a bad network does too. */
export interface TcpProxy {
  /** The server's address through the proxy. */
  url: string;
  /** From now on nothing comes through, in no direction; connections stay and are accepted. */
  hold(): void;
  /** Lets everything through again, what was held included. */
  release(): void;
  /** Ends all connections and refuses new ones. */
  refuse(): Promise<void>;
  accept(): Promise<void>;
}

export async function createTcpProxy(serverUrl: string): Promise<TcpProxy> {
  const target = new URL(serverUrl);
  const sockets = new Set<Socket>();
  let isHeld = false;

  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    near.pipe(far).pipe(near);
    for (const [socket, other] of [
      [near, far],
      [far, near],
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
    release() {
      isHeld = false;
      for (const socket of sockets) socket.uncork();
      for (const socket of sockets) socket.resume();
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
