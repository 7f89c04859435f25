import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Node.js sets it while it sends a response, but does not document it. */
interface HttpSocket extends Socket {
  _httpMessage?: ServerResponse | null;
}

/**
 * The response that is not yet passed to the operating system; null without one. A list of responses that the server
 * keeps itself would hold the last one of each connection, which the garbage collector then copies: 3 % of a redirect.
 */
export function responseInProgress(socket: HttpSocket): ServerResponse | null {
  return socket._httpMessage ?? null;
}
