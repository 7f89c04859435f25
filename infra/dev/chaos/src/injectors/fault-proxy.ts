import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

type Direction = "requests" | "answers";

/** The way to a server on this machine, on which what is under way can be held up. */
export interface FaultProxy {
  /** Where clients connect instead of to the server. */
  port: number;
  /**
   * What clients send no longer arrives; and never will, of a client that goes meanwhile.
   * @param from holds up a connection only from what matches on
   */
  holdRequests(from?: (chunk: Buffer) => boolean): void;
  /** What the server answers no longer arrives. */
  holdResponses(): void;
  /** How many chunks are held now. */
  readonly held: number;
  /** From now on every answer arrives so many milliseconds later, in order. */
  delayResponses(ms: () => number): void;
  /** Delivers what was held, and holds and delays nothing any more. */
  release(): void;
  /** Throws away what was held, ends every connection, and holds nothing any more. */
  cut(): void;
  stop(): Promise<void>;
}

interface Flow {
  direction: Direction;
  to: Socket;
  held: Buffer[];
  /** What is delayed; null when nothing is. */
  delayed: Promise<void> | null;
  isOver: boolean;
}

interface Holding {
  direction: Direction;
  from: (chunk: Buffer) => boolean;
}

export async function startFaultProxy(serverPort: number): Promise<FaultProxy> {
  const flows = new Set<Flow>();
  const sockets = new Set<Socket>();
  let holding: Holding | null = null;
  let delayMs: (() => number) | null = null;

  function carry(direction: Direction, from: Socket, to: Socket): Flow {
    const flow: Flow = { direction, to, held: [], delayed: null, isOver: false };
    flows.add(flow);
    from.on("data", (chunk) => {
      const isHeld = holding?.direction === direction;
      if (isHeld && (flow.held.length > 0 || holding?.from(chunk))) flow.held.push(chunk);
      else if (flow.delayed || (direction === "answers" && delayMs)) later(flow, chunk);
      else to.write(chunk);
    });
    return flow;
  }

  function later(flow: Flow, chunk: Buffer): void {
    const due = delay(delayMs?.() ?? 0);
    const delayed = (flow.delayed ?? Promise.resolve()).then(async () => {
      await due;
      flow.to.write(chunk);
      if (flow.delayed === delayed) flow.delayed = null;
    });
    flow.delayed = delayed;
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
      if (holding?.direction !== "answers") deliver(answers);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");

  return {
    port: (server.address() as AddressInfo).port,
    holdRequests(from = () => true) {
      holding = { direction: "requests", from };
    },
    holdResponses() {
      holding = { direction: "answers", from: () => true };
    },
    get held() {
      return [...flows].reduce((sum, { held }) => sum + held.length, 0);
    },
    delayResponses(ms) {
      delayMs = ms;
    },
    release() {
      holding = null;
      delayMs = null;
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
