import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { expect, it, onTestFinished } from "vitest";
import { rejectMalformedRequest } from "./malformed-request.ts";

async function responseTo(reject: (socket: Socket) => void): Promise<string> {
  const server = createServer(reject).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  return text(connect((server.address() as AddressInfo).port, "127.0.0.1"));
}

it.each([
  ["HPE_HEADER_OVERFLOW", "431 Request Header Fields Too Large"],
  ["ERR_HTTP_REQUEST_TIMEOUT", "408 Request Timeout"],
  ["HPE_INVALID_METHOD", "400 Bad Request"],
])("responds to %s with %s and closes the connection", async (code, status) => {
  const response = await responseTo((socket) => rejectMalformedRequest({ code }, socket));
  expect(response.split("\r\n")[0]).toBe(`HTTP/1.1 ${status}`);
  expect(response).toMatch(/\r\nConnection: close\r\n/);
  expect(response).toMatch(/\r\nCache-Control: no-store\r\n/);
});

it("writes nothing more after a response has ended", async () => {
  const response = await responseTo((socket) => {
    socket.end("HTTP/1.1 200 OK\r\n\r\n");
    rejectMalformedRequest({ code: "HPE_INVALID_METHOD" }, socket);
  });
  expect(response).not.toContain("400");
});
