import type { IncomingMessage, Server } from "node:http";

/** For a whole request, unless its route allows more for the body. */
const REQUEST_TIMEOUT_MS = 10_000;

const deadlines = new WeakMap<IncomingMessage, NodeJS.Timeout>();

/**
 * Gives clients ten seconds for a request with a body. Node's own `requestTimeout` is the same for all requests of a server,
 * and one route needs longer.
 */
export function limitBodyTime(server: Server): void {
  server.prependListener("request", (request: IncomingMessage) => {
    const { "content-length": length, "transfer-encoding": encoding } = request.headers;
    if (length === undefined && encoding === undefined) return;
    const deadline = setTimeout(() => {
      if (request.complete) return;
      const error = new Error("The request took too long");
      server.emit("clientError", Object.assign(error, { code: "ERR_HTTP_REQUEST_TIMEOUT" }), request.socket);
    }, REQUEST_TIMEOUT_MS);
    deadlines.set(request, deadline);
    request.once("close", () => clearTimeout(deadline));
  });
}

/** Lets the body of a request arrive later. The caller limits its time. */
export function allowSlowBody(request: IncomingMessage): void {
  clearTimeout(deadlines.get(request));
}
