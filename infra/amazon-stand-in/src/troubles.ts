import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Trouble } from "./short-links.ts";

const STORE_PAGE = "https://www.amazon.com/dp/B0CX23V2ZK";

/** Spoils the answer; whatever does not end by itself ends with the connection. */
export function makeTrouble(trouble: Trouble, response: ServerResponse): void {
  const socket = response.socket;
  if (socket !== null) TROUBLES[trouble](socket);
}

const TROUBLES: Record<Trouble, (socket: Socket) => void> = {
  hangs: () => {},

  "drips its headers": (socket) => {
    socket.write("HTTP/1.1 301 Moved Permanently\r\nx-slow: ");
    const drip = setInterval(() => socket.write("a"), 1_000);
    socket.once("close", () => clearInterval(drip));
  },

  "endless headers": (socket) => {
    const write = () => {
      while (socket.writable && socket.write(`x-filler: ${"a".repeat(1_000)}\r\n`));
    };
    socket.write("HTTP/1.1 301 Moved Permanently\r\n");
    socket.on("drain", write);
    write();
  },

  "huge location": (socket) => {
    socket.end(redirectText(`location: ${STORE_PAGE}?filler=${"a".repeat(20_000)}`));
  },

  "two locations": (socket) => {
    socket.end(redirectText(`location: ${STORE_PAGE}`, "location: https://evil.example/"));
  },

  "breaks off": (socket) => {
    socket.write("HTTP/1.1 301 Moved Permanently\r\nlocat", () => socket.destroy());
  },

  "speaks no HTTP": (socket) => {
    socket.end("220 mail.example ESMTP\r\n");
  },
};

function redirectText(...headers: string[]): string {
  return ["HTTP/1.1 301 Moved Permanently", ...headers, "content-length: 0", "", ""].join("\r\n");
}
