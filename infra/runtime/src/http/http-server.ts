import { once } from "node:events";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { Component } from "../lifecycle.ts";
import { limitUnreadReplies, UNREAD_REPLY_LIMITS } from "../unread-replies.ts";

/**
 * Options for `http.createServer`, in milliseconds. A client has ten seconds to send its request; an
 * idle connection stays longer than the gateway keeps it, so that the gateway is who closes.
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
  /** How long answers ask the connections to close before the idle ones are closed. */
  lingerMs?: number;
  /** How long requests under way have after that. */
  drainMs?: number;
}

/**
 * Listening, and a stop that loses no request: while the port still listens each answer says
 * `Connection: close`; when the connections are gone, or after `lingerMs`, the port closes, and the
 * requests under way get `drainMs` to end.
 */
export function createHttpComponent(options: HttpComponentOptions): Component {
  const { name, server, host, port, lingerMs = 1_000, drainMs = 5_000 } = options;
  const lastAnswers = new Map<Socket, ServerResponse | null>();
  let unreadReplies: NodeJS.Timeout | undefined;
  let stopping = false;

  server.on("connection", (socket: Socket) => {
    lastAnswers.set(socket, null);
    socket.once("close", () => lastAnswers.delete(socket));
  });
  server.prependListener("request", (request: IncomingMessage, answer: ServerResponse) => {
    lastAnswers.set(request.socket, answer);
    if (stopping) sayClose(answer);
  });

  return {
    name,
    async start() {
      server.listen(port, host);
      await once(server, "listening").catch((error) => {
        throw error.code === "EADDRINUSE" ? new Error(`Port ${port} of ${host} is taken`) : error;
      });
      unreadReplies = limitUnreadReplies(lastAnswers, UNREAD_REPLY_LIMITS);
    },
    async stop() {
      if (!server.listening) return;
      stopping = true;
      clearInterval(unreadReplies);
      for (const answer of lastAnswers.values()) if (answer) sayClose(answer);
      await settledWithin(lingerMs, Promise.all([...lastAnswers.keys()].map(closed)));
      const drained = new Promise((resolve) => server.close(resolve));
      // Node keeps those that have never asked anything.
      for (const [socket, answer] of lastAnswers) if (!isUnderWay(answer)) socket.destroy();
      await settledWithin(drainMs, drained);
      server.closeAllConnections();
      await drained;
    },
  };
}

function sayClose(answer: ServerResponse): void {
  if (!answer.headersSent) answer.setHeader("Connection", "close");
}

function isUnderWay(answer: ServerResponse | null): boolean {
  return answer !== null && !answer.writableFinished;
}

function closed(socket: Socket): Promise<unknown> {
  return new Promise((resolve) => socket.once("close", resolve));
}

async function settledWithin(ms: number, work: Promise<unknown>): Promise<void> {
  const timer = new AbortController();
  await Promise.race([work, delay(ms, undefined, { signal: timer.signal })]);
  timer.abort();
}
