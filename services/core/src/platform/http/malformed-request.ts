import type { Socket } from "node:net";
import { malformedRequest } from "@tapthru/proto/general-errors";

const STATUS_LINES: Record<string, string> = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
};

export function rejectMalformedRequest({ code }: { code: string }, socket: Socket): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const head = [
    `HTTP/1.1 ${STATUS_LINES[code] ?? "400 Bad Request"}`,
    "Connection: close",
    "Cache-Control: no-store",
    "Content-Type: text/plain; charset=utf-8",
    `Content-Length: ${malformedRequest.message.length}`,
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\n${malformedRequest.message}`);
  socket.destroySoon();
}
