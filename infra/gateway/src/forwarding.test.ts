import { Agent } from "node:http";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { ask, type Question } from "./testing/ask.ts";
import { type RunningGateway, startGateway } from "./testing/start-gateway.ts";
import { startUpstream } from "./testing/upstream.ts";

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

const FORGED = {
  Host: "evil.example",
  "X-Forwarded-For": "6.6.6.6",
  "X-Forwarded-Host": "evil.example",
  "X-Forwarded-Proto": "http",
  X_Forwarded_For: "6.6.6.6",
  "X-Real-IP": "6.6.6.6",
  Forwarded: "for=6.6.6.6;host=evil.example",
  "X-Request-Id": "forged",
};

async function received(path: string, question?: Question, at = gateway) {
  return JSON.parse((await ask(`${at.url}${path}`, question)).text).headers;
}

describe("what a service is told", () => {
  it.each(["/l/abc2345", "/api/visitor"])("on %s is never what a client claims", async (path) => {
    const headers = await received(path, { headers: FORGED });

    expect(headers).toMatchObject({
      host: "links.example",
      "x-forwarded-for": "127.0.0.1",
      "x-forwarded-proto": "https",
    });
    expect(JSON.stringify(headers)).not.toMatch(/evil|6\.6\.6\.6|forged/);
  });

  it("holds everything else the client sent", async () => {
    const sent = {
      "user-agent": "Kindle",
      cookie: "a=b",
      "idempotency-key": "k",
      origin: "https://x",
    };

    expect(await received("/api/visitor", { headers: sent })).toMatchObject(sent);
  });

  it("is the visitor's address as a trusted proxy saw it", async () => {
    const behindProxy = await startGateway({ trustedProxies: ["127.0.0.1", "10.0.0.0/8"] });
    onTestFinished(behindProxy.stop);
    const headers = { "X-Forwarded-For": "6.6.6.6, 203.0.113.9, 10.1.2.3" };

    expect(await received("/api/visitor", { headers }, behindProxy)).toMatchObject({
      "x-forwarded-for": "203.0.113.9",
    });
  });
});

describe("the request id", () => {
  it("is made by the gateway, given to the service and returned once", async () => {
    const answer = await ask(`${gateway.url}/api/visitor`, { headers: FORGED });
    const [id, ...more] = answer.headerLines["x-request-id"] ?? [];

    expect(id).toMatch(/^[0-9a-f]{32}$/);
    expect(more).toEqual([]);
    expect(JSON.parse(answer.text).headers["x-request-id"]).toBe(id);
  });

  it("is the gateway's also where a service returns one", async () => {
    const service = await startUpstream((_request, response) => {
      response.setHeader("X-Request-Id", "of-the-service").end();
    });
    onTestFinished(service.stop);
    const own = await startGateway({ api: [service.address] });
    onTestFinished(own.stop);

    const { headerLines } = await ask(`${own.url}/api/visitor`);

    expect(headerLines["x-request-id"]).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)]);
  });
});

it("passes a service's Location on as it is, whatever it names", async () => {
  const location = "http://redirect/x";
  const service = await startUpstream((_request, response) => {
    response.writeHead(302, { Location: location }).end();
  });
  onTestFinished(service.stop);
  const own = await startGateway({ redirect: [service.address] });
  onTestFinished(own.stop);

  expect((await ask(`${own.url}/l/abc2345`)).headers.location).toBe(location);
});

describe("sizes", () => {
  it("lets a header of 15 KB through", async () => {
    const cookie = "c".repeat(15_000);

    expect(await received("/l/abc2345", { headers: { cookie } })).toMatchObject({ cookie });
  });

  it("lets a service answer with a header of 15 KB", async () => {
    const location = `https://www.amazon.com/dp/B000000000?${"q".repeat(15_000)}`;
    const service = await startUpstream((_request, response) => {
      response.writeHead(302, { Location: location }).end();
    });
    onTestFinished(service.stop);
    const own = await startGateway({ redirect: [service.address] });
    onTestFinished(own.stop);

    const { status, headers } = await ask(`${own.url}/l/abc2345`);

    expect({ status, location: headers.location }).toEqual({ status: 302, location });
  });

  it("takes only small bodies under /l/", async () => {
    const post = (length: number) =>
      ask(`${gateway.url}/l/abc2345/outcome`, { method: "POST", body: "b".repeat(length) });

    expect((await post(256)).status).toBe(200);
    expect((await post(1025)).status).toBe(413);
  });

  it("refuses a header of 40 KB", async () => {
    const headers = { cookie: "c".repeat(40_000) };

    expect((await ask(`${gateway.url}/l/abc2345`, { headers })).status).toBe(431);
  });

  it("refuses an address of 40 KB", async () => {
    expect((await ask(`${gateway.url}/l/${"%41".repeat(13_000)}`)).status).toBe(414);
  });

  it("lets a body of 16 KiB through and not a byte more", async () => {
    const post = (length: number, headers = {}) =>
      ask(`${gateway.url}/api/generate`, { method: "POST", body: "b".repeat(length), headers });

    expect((await post(16 * 1024)).status).toBe(200);
    expect((await post(16 * 1024 + 1)).status).toBe(413);
    expect((await post(16 * 1024 + 1, { "Transfer-Encoding": "chunked" })).status).toBe(413);
  });
});

describe("connections", () => {
  it("to a service are kept", async () => {
    const service = await startUpstream((_request, response) => response.end());
    onTestFinished(service.stop);
    const own = await startGateway({ api: [service.address] });
    onTestFinished(own.stop);
    // One connection of ours, so that one nginx worker sees all requests.
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());

    for (let count = 0; count < 5; count += 1) await ask(`${own.url}/api/visitor`, { agent });

    expect(service.connections()).toBe(1);
  });
});
