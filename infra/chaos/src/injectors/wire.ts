import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** The way to a server on this machine, on which what is under way can be held up. */
export interface Wire {
  /** Where clients connect instead of to the server. */
  port: number;
  /** What clients send no longer arrives; and never will, of a client that goes meanwhile. */
  holdRequests(): void;
  /** What the server answers no longer arrives. */
  holdAnswers(): void;
  /** Delivers what was held, and holds nothing any more. */
  release(): void;
  /** Throws away what was held, ends every connection, and holds nothing any more. */
  cut(): void;
  stop(): Promise<void>;
}

interface Flow {
  direction: "requests" | "answers";
  to: Socket;
  held: Buffer[];
  isOver: boolean;
}

export async function layWire(serverPort: number): Promise<Wire> {
  const flows = new Set<Flow>();
  const sockets = new Set<Socket>();
  let holding: Flow["direction"] | null = null;

  function carry(direction: Flow["direction"], from: Socket, to: Socket): Flow {
    const flow: Flow = { direction, to, held: [], isOver: false };
    flows.add(flow);
    from.on("data", (chunk) => {
      if (holding === direction) flow.held.push(chunk);
      else to.write(chunk);
    });
    return flow;
  }

  function deliver(flow: Flow): void {
    for (const chunk of flow.held.splice(0)) flow.to.write(chunk);
    if (flow.isOver) flow.to.end();
  }

  const server = createServer((client) => {
    const upstream = connect(serverPort, "127.0.0.1");
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.once("close", () => sockets.delete(socket));
    }
    const requests = carry("requests", client, upstream);
    const answers = carry("answers", upstream, client);
    client.once("close", () => {
      flows.delete(requests);
      flows.delete(answers);
      upstream.destroy();
    });
    upstream.once("close", () => {
      answers.isOver = true;
      if (holding !== "answers") deliver(answers);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");

  return {
    port: (server.address() as AddressInfo).port,
    holdRequests: () => {
      holding = "requests";
    },
    holdAnswers: () => {
      holding = "answers";
    },
    release() {
      holding = null;
      for (const flow of flows) deliver(flow);
    },
    cut() {
      holding = null;
      flows.clear();
      for (const socket of sockets) socket.destroy();
    },
    async stop() {
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
