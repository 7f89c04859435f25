import type { Socket } from "node:net";
import { messages } from "@tapthru/proto/rules/messages";

const STATUS_LINES: Record<string, string> = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
};

/** Answers what is no HTTP, or does not come to an end; nothing of it can be read, so it gets no page. */
export function rejectUnreadableRequest({ code }: { code: string }, socket: Socket): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const head = [
    `HTTP/1.1 ${STATUS_LINES[code] ?? "400 Bad Request"}`,
    "Connection: close",
    "Cache-Control: no-store",
    "Content-Type: text/plain; charset=utf-8",
    `Content-Length: ${messages.malformedRequest.length}`,
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\n${messages.malformedRequest}`);
  socket.destroySoon();
}
