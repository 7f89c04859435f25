import { once } from "node:events";
import { createServer, type RequestListener, type ServerOptions } from "node:http";
import { text } from "node:stream/consumers";

/** Where no service is: a reserved port. */
export const UNREACHABLE_ADDRESS = "127.0.0.1:1";

export interface Upstream {
  /** "host:port" */
  address: string;
  /** Connections accepted so far. */
  connections(): number;
  stop(): void;
}

interface UpstreamPlace {
  host?: string;
  port?: number;
  options?: ServerOptions;
}

/** A service made of one handler. */
export async function startUpstream(
  handler: RequestListener,
  { host = "127.0.0.1", port = 0, options = {} }: UpstreamPlace = {},
): Promise<Upstream> {
  const server = createServer(options, handler).listen(port, host);
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

/** Answers with what arrived, as JSON: {service, method, url, headers, body}. */
export function echo(service: string): RequestListener {
  return async (request, response) => {
    const body = await text(request).catch(() => null);
    // The client went before it had sent all.
    if (body === null) return;
    const { method, url, headers } = request;
    response.setHeader("Content-Type", "application/json");
    response.end(JSON.stringify({ service, method, url, headers, body }));
  };
}
