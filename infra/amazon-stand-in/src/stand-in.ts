import { once } from "node:events";
import {
  createServer as createHttpServer,
  type IncomingHttpHeaders,
  type Server,
  type ServerResponse,
} from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { type Answer, answerOf } from "./answer.ts";
import { createCertificate } from "./certificate.ts";
import { makeTrouble } from "./troubles.ts";

/** Requests kept for tests to look at; older ones are forgotten. */
const MAX_REQUESTS = 1_000;

export interface AskedRequest {
  host: string;
  method: string;
  /** Path and query as they came. */
  url: string;
  headers: IncomingHttpHeaders;
  /** The name TLS was asked for; null without TLS. */
  serverName: string | null;
}

export interface AmazonStandIn {
  /** For EGRESS_STAND_IN_URL. */
  url: string;
  /** Port for Chromium's host-resolver rules; null without TLS. */
  httpsPort: number | null;
  /** PEM; trust it to reach the TLS port. Null without TLS. */
  certificate: string | null;
  /** What was asked on both ports, oldest first. */
  requests: AskedRequest[];
  stop(): Promise<void>;
}

/** Plays Amazon's hosts on 127.0.0.1, told apart by the Host header; port 0 takes a free one. */
export async function startAmazonStandIn({
  httpPort = 0,
  httpsPort,
}: {
  httpPort?: number;
  httpsPort?: number;
} = {}): Promise<AmazonStandIn> {
  const requests: AskedRequest[] = [];
  const servers: Server[] = [];
  const listen = async (server: Server, port: number) => {
    server.on("request", (request, response) => {
      const { headers, method = "", url = "", socket } = request;
      requests.push({
        host: headers.host ?? "",
        method,
        url,
        headers,
        serverName: serverName(socket),
      });
      if (requests.length > MAX_REQUESTS) requests.shift();
      play(answerOf(headers.host ?? "", url), response);
    });
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    servers.push(server);
    return (server.address() as AddressInfo).port;
  };
  const stop = async () => {
    await Promise.all(
      servers.map((server) => {
        server.close();
        server.closeAllConnections();
        return once(server, "close");
      }),
    );
  };

  const plainPort = await listen(createHttpServer(), httpPort);
  const tls = httpsPort === undefined ? null : await createCertificate();
  const tlsPort = tls === null ? null : await listen(createHttpsServer(tls), httpsPort ?? 0);
  return {
    url: `http://127.0.0.1:${plainPort}`,
    httpsPort: tlsPort,
    certificate: tls?.cert ?? null,
    requests,
    stop,
  };
}

function play(answer: Answer, response: ServerResponse): void {
  if ("trouble" in answer) {
    makeTrouble(answer.trouble, response);
    return;
  }
  const { status, location, contentType = "text/html; charset=utf-8", body } = answer;
  // Node writes header text as Latin-1.
  if (location !== undefined) {
    response.setHeader("location", Buffer.from(location).toString("latin1"));
  }
  response.writeHead(status, { "content-type": contentType }).end(body);
}

function serverName(socket: Socket): string | null {
  return (socket instanceof TLSSocket && socket.servername) || null;
}
