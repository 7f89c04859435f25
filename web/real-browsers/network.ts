import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { pipeline } from "node:stream";
import { findStore } from "@tapthru/proto/rules/amazon/hosts";
import { IMAGE_HOSTS } from "@tapthru/proto/rules/amazon/images";
import { E2E_BASE_URL, STAND_IN_TLS_PORT } from "../browser-options.ts";

/** The network of a browser: a proxy that forwards to Tapthru, and to the stand-in for Amazon's hosts. */
export interface Network {
  /** Port of the proxy on 127.0.0.1 that receives all requests. */
  port: number;
  /** Requests to the site get no response. */
  isOffline: boolean;
  close(): Promise<void>;
}

const SITE = new URL(E2E_BASE_URL);

export async function startNetwork(): Promise<Network> {
  const proxy = createServer();
  const network: Network = { port: 0, isOffline: false, close };
  proxy.on("request", (incoming, outgoing) => {
    if (network.isOffline) incoming.destroy();
    else if (isSite(incoming)) forward(incoming, outgoing);
    else outgoing.writeHead(403).end();
  });
  proxy.on("connect", ({ url: target = "" }, socket: Socket) => {
    if (isAmazon(target)) tunnel(socket);
    else socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
  });
  await once(proxy.listen(0, "127.0.0.1"), "listening");
  network.port = (proxy.address() as AddressInfo).port;
  return network;

  async function close() {
    proxy.close();
    proxy.closeAllConnections();
  }
}

function isSite({ headers }: IncomingMessage): boolean {
  return headers.host === SITE.host;
}

function isAmazon(target: string): boolean {
  const [host = "", port] = target.split(":");
  return port === "443" && (findStore(host) !== null || IMAGE_HOSTS.includes(host));
}

function forward(incoming: IncomingMessage, outgoing: ServerResponse) {
  const { method, headers, url = "" } = incoming;
  // Browsers send absolute URLs to a proxy.
  const path = url.slice(url.indexOf("/", "http://".length));
  const { hostname: host, port } = SITE;
  // A new connection for each request: the site may close an idle one just when a request uses it.
  const upstream = request({ host, port, method, path, headers, agent: false });
  outgoing.on("close", () => upstream.destroy());
  upstream.on("error", () => outgoing.destroy());
  upstream.on("response", (response) => {
    if (outgoing.destroyed) return;
    outgoing.writeHead(response.statusCode ?? 502, response.headers);
    pipeline(response, outgoing, () => {});
  });
  pipeline(incoming, upstream, () => {});
}

function tunnel(socket: Socket) {
  const standIn = connect(Number(STAND_IN_TLS_PORT), "127.0.0.1", () => {
    socket.write("HTTP/1.1 200 OK\r\n\r\n");
    pipeline(socket, standIn, socket, () => {});
  });
  standIn.on("error", () => socket.destroy());
}
