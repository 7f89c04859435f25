import { connect } from "node:net";
import { HTTP_SERVER_OPTIONS } from "@tapthru/core/platform/http/http-server";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { openSlowClient, SLOW_CLIENT_KINDS } from "./testing/slow-clients.ts";
import { gatewayForTest, type RunningGateway, startGateway } from "./testing/start-gateway.ts";
import { echo, startUpstream, type Upstream, upstreamForTest } from "./testing/upstream.ts";

let silent: Upstream;
let gateway: RunningGateway;
beforeAll(async () => {
  silent = await startUpstream(() => {}, { options: HTTP_SERVER_OPTIONS });
  gateway = await startGateway({ api: [silent.address], redirect: [silent.address] });
});
afterAll(async () => {
  await gateway.stop();
  silent.stop();
});

const TIMEOUT = { timeout: 15_000 };

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
    withSlowBody("GET /api/links"),
    withSlowBody("POST /l/abc2345/outcome"),
    withSlowBody("GET /l/abc2345"),
    withSlowBody("GET /"),
    withSlowBody("POST /"),
  ])("%s is disconnected within 15 s", TIMEOUT, (_title, beginning = "") => sendSlowlyUntilClosed(beginning));
});

describe.concurrent("a service that never responds", () => {
  it("causes 504 within 15 s", TIMEOUT, async () => {
    const response = await gateway.send("/api/metadata");

    expect(response).toMatchObject({
      status: 504,
      headers: { "retry-after": "5", "content-type": "text/plain; charset=utf-8" },
    });
  });
});

/** More than one address may have in progress. */
const CLIENTS_PER_KIND = 200;
const VISITS = 100;

it("serves other clients while many clients of one and of many addresses are slow", async () => {
  const longBody = Buffer.alloc(16 * 1024 * 1024);
  const api = await upstreamForTest((request, response) =>
    request.url === "/api/long" ? response.end(longBody) : echo("api")(request, response),
  );
  const customGateway = await gatewayForTest({ api: [api.address], trustedProxies: ["127.0.0.1"] });
  for (const kind of SLOW_CLIENT_KINDS) {
    for (let index = 0; index < CLIENTS_PER_KIND; index += 1) {
      const oneOfMany = { forwardedFor: `203.0.113.${index % 100}` };
      const sameAddress = { forwardedFor: "198.51.100.7" };
      for (const address of index % 4 === 0 ? [oneOfMany, sameAddress] : [oneOfMany]) {
        const end = openSlowClient({
          port: customGateway.port,
          kind,
          longResponsePath: "/api/long",
          ...address,
        });
        onTestFinished(end);
      }
    }
  }
  // Clients with slow bodies and unread responses each hold a connection to the api.
  await vi.waitUntil(() => api.connections() > 2 * CLIENTS_PER_KIND, { timeout: 20_000 });

  const normalClient = { headers: { "X-Forwarded-For": "192.0.2.1" } };
  const statuses: number[] = [];
  for (let count = 0; count < VISITS; count += 1) {
    for (const path of ["/l/abc2345", "/api/visitor", "/", "/version.txt"]) {
      statuses.push((await customGateway.send(path, normalClient)).status);
    }
    const create = { method: "POST", body: "{}", ...normalClient };
    statuses.push((await customGateway.send("/api/generate", create)).status);
  }

  expect(new Set(statuses)).toEqual(new Set([200]));
}, 120_000);
