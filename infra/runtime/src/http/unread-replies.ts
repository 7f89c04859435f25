import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { responseInProgress } from "./response-in-progress.ts";

export interface UnreadReplyLimits {
  /** How often replies in progress are checked, in milliseconds. */
  everyMs: number;
  /** A reply that takes longer, in milliseconds, is ended by closing its connection. */
  replyMs: number;
  /** The same for replies whose length is not known in advance, such as exports. */
  streamMs: number;
  /** Maximum bytes of unread replies in the process. */
  bytes: number;
}

export const UNREAD_REPLY_LIMITS: UnreadReplyLimits = {
  everyMs: 1_000,
  replyMs: 30_000,
  streamMs: 300_000,
  bytes: 64 * 1024 * 1024,
};

interface Reply {
  socket: Socket;
  response: ServerResponse;
  /** Number of checks that found it in progress. */
  seen: number;
}

/**
 * Checks replies periodically, because unread replies remain in memory. Closes the connection of a reply that takes too
 * long. If all unread replies together exceed the byte limit, closes the connections with the most unread bytes, except
 * those whose reply began after the previous check. A request has no extra cost.
 */
export function limitUnreadReplies(
  sockets: Iterable<Socket>,
  { everyMs, replyMs, streamMs, bytes }: UnreadReplyLimits,
): NodeJS.Timeout {
  const maxChecks = (response: ServerResponse) =>
    Math.ceil((response.chunkedEncoding ? streamMs : replyMs) / everyMs);
  let seen = new WeakMap<ServerResponse, number>();

  function check(): void {
    const inProgress = [...sockets].flatMap((socket): Reply[] => {
      const response = responseInProgress(socket);
      return response === null ? [] : [{ socket, response, seen: seen.get(response) ?? 0 }];
    });
    seen = new WeakMap(inProgress.map((reply) => [reply.response, reply.seen + 1]));
    for (const { socket, response, seen } of inProgress) {
      if (seen >= maxChecks(response)) socket.resetAndDestroy();
    }

    let unreadBytes = inProgress.reduce((sum, { socket }) => sum + socket.writableLength, 0);
    if (unreadBytes <= bytes) return;
    const slow = inProgress.filter((reply) => reply.seen > 0);
    for (const { socket } of slow.toSorted((a, b) => bytesOf(b) - bytesOf(a))) {
      if (unreadBytes <= bytes) return;
      unreadBytes -= socket.writableLength;
      socket.resetAndDestroy();
    }
  }

  return setInterval(check, everyMs).unref();
}

function bytesOf({ socket }: Reply): number {
  return socket.writableLength;
}
