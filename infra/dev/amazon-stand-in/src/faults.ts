import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

const STORE_PAGE = "https://www.amazon.com/dp/B0CX23V2ZK";

/** Sends the faulty response. An endless response stops when the client closes the connection. */
export function injectFault(fault: Fault, response: ServerResponse): void {
  const socket = response.socket;
  if (socket !== null) FAULTS[fault](socket);
}

const PAGE_HEAD = "HTTP/1.1 200 OK\r\ncontent-type: text/html;charset=UTF-8\r\n\r\n";

const FAULTS = {
  hangs: () => {},

  "slow headers": (socket) => {
    socket.write("HTTP/1.1 301 Moved Permanently\r\nx-slow: ");
    writeSlowly(socket);
  },

  "endless headers": (socket) => {
    socket.write("HTTP/1.1 301 Moved Permanently\r\n");
    writeEndlessly(socket, `x-filler: ${"a".repeat(1_000)}\r\n`);
  },

  "huge location": (socket) => {
    socket.end(redirectText(`location: ${STORE_PAGE}?filler=${"a".repeat(20_000)}`));
  },

  "two locations": (socket) => {
    socket.end(redirectText(`location: ${STORE_PAGE}`, "location: https://evil.example/"));
  },

  "closes early": (socket) => {
    socket.write("HTTP/1.1 301 Moved Permanently\r\nlocat", () => socket.destroy());
  },

  "sends no HTTP": (socket) => {
    socket.end("220 mail.example ESMTP\r\n");
  },

  "endless page": (socket) => {
    socket.write(PAGE_HEAD);
    writeEndlessly(socket, "<p>And another thing.</p>\n".repeat(100));
  },

  "slow page": (socket) => {
    socket.write(PAGE_HEAD);
    writeSlowly(socket);
  },

  "closes within the page": (socket) => {
    const start = '<!doctype html><span id="productTitle">A page that breaks off</span><img id="lan';
    socket.write(`${PAGE_HEAD}${start}`, () => socket.destroy());
  },
} satisfies Record<string, (socket: Socket) => void>;

export type Fault = keyof typeof FAULTS;

function writeEndlessly(socket: Socket, filler: string): void {
  const write = () => {
    while (socket.writable && socket.write(filler));
  };
  socket.on("drain", write);
  write();
}

function writeSlowly(socket: Socket): void {
  const timer = setInterval(() => socket.write("a"), 1_000);
  socket.once("close", () => clearInterval(timer));
}

function redirectText(...headers: string[]): string {
  return ["HTTP/1.1 301 Moved Permanently", ...headers, "content-length: 0", "", ""].join("\r\n");
}
