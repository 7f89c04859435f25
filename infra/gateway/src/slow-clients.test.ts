import { connect } from "node:net";
import { HTTP_SERVER_OPTIONS } from "@tapthru/core/platform/http/http-server";
import { afterAll, describe, expect, it } from "vitest";
import { sharedGateway } from "./testing/start-gateway.ts";
import { startUpstream } from "./testing/upstream.ts";

const silent = await startUpstream(() => {}, { options: HTTP_SERVER_OPTIONS });
afterAll(silent.stop);
const gateway = await sharedGateway({ api: [silent.address], redirect: [silent.address] });

/** Sends `beginning` and then, unless that is empty, one byte per second, until the gateway closes the connection. */
async function sendSlowlyUntilClosed(beginning: string): Promise<void> {
  const socket = connect(gateway.port, "127.0.0.1");
  const trickle = setInterval(() => beginning !== "" && socket.write("A"), 1_000);
  // If the gateway resets the connection, "error" is followed by "close".
  socket.on("error", () => {});
  socket.resume().write(beginning);
  await new Promise((resolve) => socket.once("close", resolve));
  clearInterval(trickle);
}

const withSlowBody = (request: string) => [
  `with a slow body of ${request}`,
  `${request} HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n`,
];

describe.concurrent("a slow client", () => {
  it.each([
    ["that sends nothing", ""],
    ["with slow headers", "GET / HTTP/1.1\r\nHost: x\r\nX-Slow: "],
    withSlowBody("POST /api/generate"),
    withSlowBody("POST /l/abc2345/outcome"),
    withSlowBody("GET /l/abc2345"),
    withSlowBody("GET /"),
  ])("%s is disconnected", (_title, beginning = "") => sendSlowlyUntilClosed(beginning));
});

describe.concurrent("a service that never responds", () => {
  it("causes 504", async () => {
    const response = await gateway.send("/api/metadata");
    expect(response).toMatchObject({
      status: 504,
      headers: { "retry-after": "5", "content-type": "text/plain; charset=utf-8" },
    });
  });
});
