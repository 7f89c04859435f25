import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerOptions } from "node:http";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";

export const UNREACHABLE_ADDRESS = "127.0.0.1:1";

export interface Upstream {
  /** "host:port" */
  address: string;
  connections(): number;
  stop(): void;
}

/** Connections that wait until this process accepts them. Tests open more than Node.js's default of 511 at once. */
const BACKLOG = 4_096;

interface UpstreamOptions {
  host?: string;
  port?: number;
  options?: ServerOptions;
}

export async function startUpstream(
  handler: RequestListener,
  { host = "127.0.0.1", port = 0, options = {} }: UpstreamOptions = {},
): Promise<Upstream> {
  // Longer than nginx keeps a connection, as in the services: a POST is not retried.
  const server = createServer({ keepAliveTimeout: 75_000, ...options }, handler).listen({
    host,
    port,
    backlog: BACKLOG,
  });
  let connections = 0;
  server.on("connection", () => {
    connections += 1;
  });
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return {
    address: `${host}:${address.port}`,
    connections: () => connections,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** The same, until the test ends. */
export async function upstreamForTest(...args: Parameters<typeof startUpstream>): Promise<Upstream> {
  const upstream = await startUpstream(...args);
  onTestFinished(upstream.stop);
  return upstream;
}

export interface ReceivedRequest {
  service: string;
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Responds with the received request as JSON. */
export function echo(service: string): RequestListener {
  return async (request, response) => {
    const body = await text(request).catch(() => null);
    // The client disconnected before the end of the body.
    if (body === null) return;
    const { method, url, headers } = request;
    response.setHeader("Content-Type", "application/json");
    response.end(JSON.stringify({ service, method, url, headers, body }));
  };
}
