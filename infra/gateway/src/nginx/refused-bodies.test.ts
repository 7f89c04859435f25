import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { sharedGateway } from "../testing/start-gateway.ts";

const gateway = await sharedGateway();

/** Sends the head of a request without its body. */
async function send(request: string, ...headers: string[]): Promise<string> {
  const socket = connect(gateway.port, "127.0.0.1");
  const head = [`${request} HTTP/1.1`, "Host: x", "Connection: close", ...headers];
  socket.write(`${head.join("\r\n")}\r\n\r\n`);
  const [response] = await once(socket, "data");
  socket.destroy();
  return String(response);
}

describe.each(["GET /l/abc2345", "HEAD /l/abc2345", "GET /redirect"])("%s", (request) => {
  it.each(["Content-Length: 1", "Content-Length: 9999", "Transfer-Encoding: chunked"])(
    "with a body is rejected before the body arrives: %s",
    async (header) => {
      expect(await send(request, "User-Agent: Twitterbot/1.0", header)).toMatch(/^HTTP\/1.1 413 /);
    },
  );

  it.each(["Content-Length: 0", "Content-Type: text/plain"])("without a body is accepted: %s", async (header) => {
    expect(await send(request, "User-Agent: Twitterbot/1.0", header)).toMatch(/^HTTP\/1.1 200 /);
  });
});
