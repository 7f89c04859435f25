import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

type Direction = "requests" | "responses";

/** A TCP proxy that can hold, delay or cut connections. */
export interface FaultProxy {
  /** Clients connect to this port of 127.0.0.1. */
  port: number;
  /**
   * Holds what clients send. Held data of a client that disconnects is dropped.
   * @param from a connection is held from the first chunk that matches
   */
  holdRequests(from?: (chunk: Buffer) => boolean): void;
  /** Holds what the server sends. */
  holdResponses(): void;
  /** Holds what both send, as if all packets were lost. */
  holdAll(): void;
  /** Number of chunks held now. */
  readonly held: number;
  /** Delays each response chunk by that many milliseconds; the order is kept. */
  delayResponses(ms: () => number): void;
  /** Delivers held data, and stops holding and delaying data. */
  release(): void;
  /** Drops held data, closes all connections and stops holding data. */
  cut(): void;
  stop(): Promise<void>;
}

interface Flow {
  direction: Direction;
  to: Socket;
  held: Buffer[];
  /** Settles when all delayed chunks are written; null when none is delayed. */
  delayed: Promise<void> | null;
  isOver: boolean;
}

interface Holding {
  directions: readonly Direction[];
  from: (chunk: Buffer) => boolean;
}

export async function startFaultProxy(
  serverPort: number,
  serverHost = "127.0.0.1",
): Promise<FaultProxy> {
  const flows = new Set<Flow>();
  const sockets = new Set<Socket>();
  let holding: Holding | null = null;
  let delayMs: (() => number) | null = null;

  function forward(direction: Direction, from: Socket, to: Socket): Flow {
    const flow: Flow = { direction, to, held: [], delayed: null, isOver: false };
    flows.add(flow);
    from.on("data", (chunk) => {
      const isHeld = holding?.directions.includes(direction);
      if (isHeld && (flow.held.length > 0 || holding?.from(chunk))) flow.held.push(chunk);
      else if (flow.delayed || (direction === "responses" && delayMs)) writeLater(flow, chunk);
      else to.write(chunk);
    });
    return flow;
  }

  function writeLater(flow: Flow, chunk: Buffer): void {
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
    const upstream = connect(serverPort, serverHost);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.once("close", () => sockets.delete(socket));
    }
    const requests = forward("requests", client, upstream);
    const responses = forward("responses", upstream, client);
    client.once("close", () => {
      flows.delete(requests);
      flows.delete(responses);
      upstream.destroy();
    });
    upstream.once("close", () => {
      responses.isOver = true;
      if (!holding?.directions.includes("responses")) deliver(responses);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");

  return {
    port: (server.address() as AddressInfo).port,
    holdRequests(from = () => true) {
      holding = { directions: ["requests"], from };
    },
    holdResponses() {
      holding = { directions: ["responses"], from: () => true };
    },
    holdAll() {
      holding = { directions: ["requests", "responses"], from: () => true };
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
