import { connect } from "node:net";
import { HTTP_SERVER_OPTIONS } from "@tapthru/runtime/http/http-server";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { ask } from "./testing/ask.ts";
import { openSlowClient, SLOWNESSES } from "./testing/slow-clients.ts";
import { type RunningGateway, startGateway } from "./testing/start-gateway.ts";
import { echo, startUpstream, type Upstream } from "./testing/upstream.ts";

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

const GRACE = { timeout: 15_000 };

/** Sends a beginning and then a byte every so often, until the gateway closes. */
function closedWhileTrickling(beginning: string, everyMs = 1_000) {
  const socket = connect(gateway.port, "127.0.0.1");
  const trickle = setInterval(() => socket.write("A"), everyMs);
  socket.resume().write(beginning);
  return new Promise<string>((resolve) => {
    // An error (the gateway resets) is followed by the close.
    socket
      .on("error", () => {})
      .on("close", () => {
        clearInterval(trickle);
        resolve("closed");
      });
  });
}

describe.concurrent("a client that is slow", () => {
  it("to begin is let go within 15 s", GRACE, async () => {
    expect(await closedWhileTrickling("", 60_000)).toBe("closed");
  });

  it("with its headers is let go within 15 s", GRACE, async () => {
    const beginning = "GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ";

    expect(await closedWhileTrickling(beginning)).toBe("closed");
  });

  it.each([
    "POST /api/generate",
    "GET /api/links",
    "POST /l/abc2345/outcome",
    "GET /l/abc2345",
    "GET /",
    "POST /",
  ])("with the body of its %s is let go within 15 s", GRACE, async (request) => {
    const beginning = `${request} HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n`;

    expect(await closedWhileTrickling(beginning)).toBe("closed");
  });
});

describe.concurrent("a service that never answers", () => {
  it("is given up within 15 s", GRACE, async () => {
    const answer = await ask(`${gateway.url}/api/metadata`);

    expect(answer).toMatchObject({
      status: 504,
      headers: { "retry-after": "5", "content-type": "text/plain; charset=utf-8" },
    });
  });
});

/** More than one address may have in progress, and more than the api works on at once. */
const OF_EACH_KIND = 200;
const VISITS = 100;

it("serves everybody else while many clients are slow, of one address and of many", async () => {
  const long = Buffer.alloc(16 * 1024 * 1024);
  const api = await startUpstream((request, response) =>
    request.url === "/api/long" ? response.end(long) : echo("api")(request, response),
  );
  onTestFinished(api.stop);
  const own = await startGateway({ api: [api.address], trustedProxies: ["127.0.0.1"] });
  onTestFinished(own.stop);
  for (const slowness of SLOWNESSES) {
    for (let index = 0; index < OF_EACH_KIND; index += 1) {
      const many = { forwardedFor: `203.0.113.${index % 100}` };
      const one = { forwardedFor: "198.51.100.7" };
      for (const address of index % 4 === 0 ? [many, one] : [many]) {
        const end = openSlowClient({
          port: own.port,
          slowness,
          longReply: "/api/long",
          ...address,
        });
        onTestFinished(end);
      }
    }
  }
  // The bodies and the replies.
  await vi.waitUntil(() => api.connections() > 2 * OF_EACH_KIND, { timeout: 20_000 });

  const honest = { headers: { "X-Forwarded-For": "192.0.2.1" } };
  const statuses: number[] = [];
  for (let count = 0; count < VISITS; count += 1) {
    for (const path of ["/l/abc2345", "/api/visitor", "/", "/version.txt"]) {
      statuses.push((await ask(`${own.url}${path}`, honest)).status);
    }
    const create = { method: "POST", body: "{}", ...honest };
    statuses.push((await ask(`${own.url}/api/generate`, create)).status);
  }

  expect(new Set(statuses)).toEqual(new Set([200]));
});
