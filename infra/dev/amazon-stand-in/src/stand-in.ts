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
import { createLoginWithAmazon } from "./login-with-amazon/login-with-amazon.ts";
import type { StandInResponse } from "./response.ts";
import { respond } from "./route.ts";

/** Requests kept for tests to look at; older ones are forgotten. */
const MAX_REQUESTS = 1_000;

interface RecordedRequest {
  host: string;
  method: string;
  /** Path and query as they came. */
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** The name TLS was asked for; null without TLS. */
  serverName: string | null;
}

export interface AmazonStandIn {
  /** For EGRESS_STAND_IN_URL. */
  url: string;
  /** For Chromium's host-resolver rules. */
  httpsPort: number;
  /** PEM, for whoever wants to trust the TLS port. */
  certificate: string;
  /** What was asked on both ports, oldest first. */
  requests: RecordedRequest[];
  stop(): Promise<void>;
}

/** Plays Amazon's hosts, told apart by the Host header; port 0 takes a free one. */
export async function startAmazonStandIn({
  host = "127.0.0.1",
  httpPort = 0,
  httpsPort = 0,
} = {}): Promise<AmazonStandIn> {
  const requests: RecordedRequest[] = [];
  const loginWithAmazon = createLoginWithAmazon();
  const serve: RequestListener = async (request, response) => {
    const { headers, method = "", url = "", socket } = request;
    const asked = headers.host ?? "";
    // Who hangs up in the middle gets no answer.
    const body = await text(request).catch(() => null);
    if (body === null) return;
    requests.push({ host: asked, method, url, headers, body, serverName: serverName(socket) });
    if (requests.length > MAX_REQUESTS) requests.shift();
    const question = { host: asked.replace(/:\d+$/, ""), method, target: url, headers, body };
    sendResponse(loginWithAmazon(question) ?? respond(question), response);
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

function sendResponse(answer: StandInResponse, response: ServerResponse): void {
  if ("fault" in answer) {
    injectFault(answer.fault, response);
    return;
  }
  const { status, location, contentEncoding, body } = answer;
  // Node writes header text as Latin-1.
  if (location !== undefined) {
    response.setHeader("location", Buffer.from(location).toString("latin1"));
  }
  if (contentEncoding !== undefined) response.setHeader("content-encoding", contentEncoding);
  response.setHeader("content-type", answer.contentType ?? "text/html;charset=UTF-8");
  response.writeHead(status).end(body);
}

function serverName(socket: Socket): string | null {
  return (socket instanceof TLSSocket && socket.servername) || null;
}
