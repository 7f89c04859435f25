import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { pipeline } from "node:stream";
import { findStore } from "@tapthru/proto/rules/hosts";
import { IMAGE_HOSTS } from "@tapthru/proto/rules/images";
import { E2E_BASE_URL, STAND_IN_TLS_PORT } from "../browser-options.ts";

/** What a browser can reach: Tapthru, and the stand-in where Amazon is. */
export interface Network {
  /** Of the proxy on 127.0.0.1 that all requests go through. */
  port: number;
  /** Paths of the site whose requests get no reply. */
  broken: RegExp | null;
  close(): Promise<void>;
}

/** Of a network without any connection to the site. */
export const OFFLINE = /^/;

const SITE = new URL(E2E_BASE_URL);

export async function startNetwork(): Promise<Network> {
  const proxy = createServer();
  const network: Network = { port: 0, broken: null, close };
  proxy.on("request", (incoming, outgoing) => {
    if (network.broken?.test(pathOf(incoming))) incoming.destroy();
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

/** A proxy is asked for whole addresses. */
function pathOf({ url = "" }: IncomingMessage): string {
  return url.slice(url.indexOf("/", "http://".length));
}

function isAmazon(target: string): boolean {
  const [host = "", port] = target.split(":");
  return port === "443" && (findStore(host) !== null || IMAGE_HOSTS.includes(host));
}

function forward(incoming: IncomingMessage, outgoing: ServerResponse) {
  const { method, headers } = incoming;
  const path = pathOf(incoming);
  const { hostname: host, port } = SITE;
  // A connection of its own for each: the site closes idle ones, also while a request is under way.
  const onward = request({ host, port, method, path, headers, agent: false });
  outgoing.on("close", () => onward.destroy());
  onward.on("error", () => outgoing.destroy());
  onward.on("response", (reply) => {
    if (outgoing.destroyed) return;
    outgoing.writeHead(reply.statusCode ?? 502, reply.headers);
    pipeline(reply, outgoing, () => {});
  });
  pipeline(incoming, onward, () => {});
}

function tunnel(socket: Socket) {
  const standIn = connect(Number(STAND_IN_TLS_PORT), "127.0.0.1", () => {
    socket.write("HTTP/1.1 200 OK\r\n\r\n");
    pipeline(socket, standIn, socket, () => {});
  });
  standIn.on("error", () => socket.destroy());
}
