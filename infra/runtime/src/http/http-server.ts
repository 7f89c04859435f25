import { once } from "node:events";
import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { Component } from "../lifecycle.ts";
import { responseInProgress } from "./response-in-progress.ts";
import { limitUnreadReplies, UNREAD_REPLY_LIMITS } from "./unread-replies.ts";

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

export interface HttpComponentOptions {
  name: string;
  server: Server;
  host: string;
  port: number;
  /** How long responses have `Connection: close` before idle connections are closed. */
  lingerMs?: number;
  /** How long requests in progress may take after that. */
  drainMs?: number;
}

/**
 * Listens, and shuts down without losing a request: first the port stays open and each response has
 * `Connection: close`; when all connections are closed, or after `lingerMs`, the port closes, and requests in progress
 * have `drainMs` to finish.
 */
export function createHttpComponent(options: HttpComponentOptions): Component {
  const { name, server, host, port, lingerMs = 1_000, drainMs = 5_000 } = options;
  const sockets = new Set<Socket>();
  let unreadReplies: NodeJS.Timeout | undefined;

  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });

  return {
    name,
    async start() {
      server.listen(port, host);
      await once(server, "listening").catch((error) => {
        throw error.code === "EADDRINUSE" ? new Error(`Port ${port} of ${host} is taken`) : error;
      });
      unreadReplies = limitUnreadReplies(sockets, UNREAD_REPLY_LIMITS);
    },
    async stop() {
      if (!server.listening) return;
      server.prependListener("request", (_request, response) => sendCloseHeader(response));
      clearInterval(unreadReplies);
      for (const socket of sockets) {
        const response = responseInProgress(socket);
        if (response) sendCloseHeader(response);
      }
      await settledWithin(lingerMs, Promise.all([...sockets].map(closed)));
      const drained = new Promise((resolve) => server.close(resolve));
      // Node keeps connections that never sent a request.
      for (const socket of sockets) if (!responseInProgress(socket)) socket.destroy();
      await settledWithin(drainMs, drained);
      server.closeAllConnections();
      await drained;
    },
  };
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
