import { once } from "node:events";
import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { Component } from "../lifecycle.ts";

/**
 * Options for `http.createServer`, in milliseconds. A client has ten seconds to send its request. Idle connections are
 * kept longer than by the gateway, so that the gateway closes them.
 */
export const HTTP_SERVER_OPTIONS = {
  headersTimeout: 10_000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 75_000,
} as const;

/** Maximum bytes of replies in the process that their clients have not read yet. */
const UNREAD_BYTES_MAX = 64 * 1024 * 1024;
const UNREAD_CHECK_INTERVAL_MS = 1_000;

export interface HttpComponentOptions {
  name: string;
  server: Server;
  host: string;
  port: number;
  /** How long responses have `Connection: close` before idle connections are closed. */
  lingerMs?: number;
  /** How long requests in progress may take after that. */
  drainMs?: number;
  unreadBytesMax?: number;
}

/**
 * Listens, and shuts down without losing a request: first the port stays open and each response has
 * `Connection: close`; when all connections are closed, or after `lingerMs`, the port closes. Connections that were opened
 * meanwhile have `lingerMs` to send their request, then requests in progress have `drainMs` to finish.
 */
export function createHttpComponent(options: HttpComponentOptions): Component {
  const { name, server, host, port, lingerMs = 1_000, drainMs = 5_000 } = options;
  const sockets = new Set<Socket>();
  const responses = new Set<ServerResponse>();
  let unreadCheck: NodeJS.Timeout | undefined;

  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  // After the server's own listener: most visits of links have ended then, and cost nothing here.
  server.on("request", (_request, response: ServerResponse) => {
    if (response.writableEnded) return;
    responses.add(response);
    response.once("close", () => responses.delete(response));
  });

  return {
    name,
    async start() {
      server.listen(port, host);
      await once(server, "listening").catch((error) => {
        throw error.code === "EADDRINUSE" ? new Error(`Port ${port} of ${host} is taken`) : error;
      });
      unreadCheck = limitUnreadBytes(sockets, options.unreadBytesMax ?? UNREAD_BYTES_MAX);
    },
    async stop() {
      if (!server.listening) return;
      server.prependListener("request", (_request, response) => sendCloseHeader(response));
      clearInterval(unreadCheck);
      for (const response of responses) sendCloseHeader(response);
      await settledWithin(lingerMs, Promise.all([...sockets].map(closed)));
      const drained = new Promise((resolve) => server.close(resolve));
      await settledWithin(lingerMs, drained);
      // Node keeps connections that never sent a request.
      const inUse = new Set([...responses].map(({ socket }) => socket));
      for (const socket of sockets) {
        if (!inUse.has(socket) && socket.writableLength === 0) socket.destroy();
      }
      await settledWithin(drainMs, drained);
      server.closeAllConnections();
      await drained;
    },
  };
}

/**
 * Closes the connections with the most unread bytes when all together exceed the limit, except those without any at the
 * previous check. The gateway closes connections of clients that read nothing.
 */
function limitUnreadBytes(sockets: Iterable<Socket>, maxBytes: number): NodeJS.Timeout {
  let slow = new WeakSet<Socket>();
  return setInterval(() => {
    const unread = [...sockets].filter(({ writableLength }) => writableLength > 0);
    let bytes = unread.reduce((sum, { writableLength }) => sum + writableLength, 0);
    for (const socket of unread.toSorted((a, b) => b.writableLength - a.writableLength)) {
      if (bytes <= maxBytes) break;
      if (!slow.has(socket)) continue;
      bytes -= socket.writableLength;
      socket.resetAndDestroy();
    }
    slow = new WeakSet(unread);
  }, UNREAD_CHECK_INTERVAL_MS).unref();
}

function sendCloseHeader(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader("Connection", "close");
}

function closed(socket: Socket): Promise<unknown> {
  return new Promise((resolve) => socket.once("close", resolve));
}

async function settledWithin(ms: number, work: Promise<unknown>): Promise<void> {
  const timer = new AbortController();
  await Promise.race([work, delay(ms, undefined, { signal: timer.signal })]);
  timer.abort();
}
