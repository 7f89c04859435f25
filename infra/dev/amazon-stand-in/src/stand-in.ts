import { once } from "node:events";
import {
  createServer as createHttpServer,
  type IncomingHttpHeaders,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { text } from "node:stream/consumers";
import { TLSSocket } from "node:tls";
import { createCertificate } from "./certificate.ts";
import { injectFault } from "./faults.ts";
import { createLoginWithAmazon } from "./login-with-amazon.ts";
import type { StandInResponse } from "./response.ts";
import { respond } from "./route.ts";

/** Requests kept for tests; older ones are dropped. */
const MAX_REQUESTS = 1_000;

interface RecordedRequest {
  host: string;
  method: string;
  /** Path and query as received. */
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** The server name of the TLS handshake (SNI); null without TLS. */
  serverName: string | null;
}

export interface AmazonStandIn {
  /** The value for EGRESS_STAND_IN_URL. */
  url: string;
  /** The port for Chromium's host-resolver rules. */
  httpsPort: number;
  /** The certificate of the TLS port in PEM, for clients that verify it. */
  certificate: string;
  /** The requests received on both ports, oldest first. */
  requests: RecordedRequest[];
  stop(): Promise<void>;
}

/** Starts a server that responds as the host in the Host header. Port 0 selects a free port. */
export async function startAmazonStandIn({
  host = "127.0.0.1",
  httpPort = 0,
  httpsPort = 0,
} = {}): Promise<AmazonStandIn> {
  const requests: RecordedRequest[] = [];
  const loginWithAmazon = createLoginWithAmazon();
  const serve: RequestListener = async (request, response) => {
    const { headers, method = "", url = "", socket } = request;
    const hostHeader = headers.host ?? "";
    // Null if the client closes the connection before the end of the body.
    const body = await text(request).catch(() => null);
    if (body === null) return;
    requests.push({ host: hostHeader, method, url, headers, body, serverName: serverName(socket) });
    if (requests.length > MAX_REQUESTS) requests.shift();
    const standInRequest = {
      host: hostHeader.replace(/:\d+$/, ""),
      method,
      target: url,
      headers,
      body,
    };
    sendResponse(loginWithAmazon(standInRequest) ?? respond(standInRequest), response);
  };
  const certificate = await createCertificate();
  const http = createHttpServer(serve);
  const https = createHttpsServer(certificate, serve);
  return {
    url: `http://${host}:${await listen(http, host, httpPort)}`,
    httpsPort: await listen(https, host, httpsPort),
    certificate: certificate.cert,
    requests,
    stop: async () => {
      await Promise.all([close(http), close(https)]);
    },
  };
}

async function listen(server: Server, host: string, port: number): Promise<number> {
  server.listen(port, host);
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

async function close(server: Server): Promise<void> {
  const closed = once(server, "close");
  server.close();
  server.closeAllConnections();
  await closed;
}

function sendResponse(content: StandInResponse, response: ServerResponse): void {
  if ("fault" in content) {
    injectFault(content.fault, response);
    return;
  }
  const { status, location, contentEncoding, body } = content;
  // Node writes headers as Latin-1. This keeps the bytes of UTF-8.
  if (location !== undefined) {
    response.setHeader("location", Buffer.from(location).toString("latin1"));
  }
  if (contentEncoding !== undefined) response.setHeader("content-encoding", contentEncoding);
  response.setHeader("content-type", content.contentType ?? "text/html;charset=UTF-8");
  response.writeHead(status).end(body);
}

function serverName(socket: Socket): string | null {
  return (socket instanceof TLSSocket && socket.servername) || null;
}
