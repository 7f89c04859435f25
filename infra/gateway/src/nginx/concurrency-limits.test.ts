import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { connect } from "node:net";
import { startNameServer } from "@tapthru/core/platform/testing/name-server";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { RequestOptions } from "../testing/send-request.ts";
import { gatewayForTest, RESOLVES_IN_UPSTREAMS } from "../testing/start-gateway.ts";
import { upstreamForTest } from "../testing/upstream.ts";
import { IN_PROGRESS_PER_ADDRESS, IN_PROGRESS_PER_REPLICA, openFilesLimit } from "./limits.ts";

const WAIT = { timeout: 60_000 };
const MANY_VISITS = 3_000;

const waiting: ServerResponse[] = [];
function finish(response: ServerResponse): void {
  if (!response.writableEnded) response.end("done");
}
let isBusy = true;
afterEach(() => {
  isBusy = true;
  for (const response of waiting.splice(0)) finish(response);
});

/** A service that holds its responses back while `isBusy`. */
async function startBusyService(options: Parameters<typeof upstreamForTest>[1] = {}) {
  const { address } = await upstreamForTest((_request, response) => {
    if (isBusy) waiting.push(response);
    else response.end("done");
  }, options);
  return address;
}

async function startGatewayWith(settings: Parameters<typeof gatewayForTest>[0]) {
  const gateway = await gatewayForTest({ trustedProxies: ["127.0.0.1"], ...settings });
  return {
    ...gateway,
    from: (address: string, path: string, options?: RequestOptions) =>
      gateway.send(path, { ...options, headers: { "X-Forwarded-For": address } }),
    /** Sends `count` requests and waits until the service holds them all. */
    async fill(count: number, path: string, addressOf: (index: number) => string) {
      const before = waiting.length;
      const requests = Array.from({ length: count }, (_, index) =>
        gateway.send(path, { headers: { "X-Forwarded-For": addressOf(index) } }),
      );
      await vi.waitFor(() => expect(waiting).toHaveLength(before + count), WAIT);
      return requests;
    },
  };
}

const distinctAddress = (index: number) => `203.0.${index >> 8}.${index & 255}`;

describe("replicas at their limit of visits", () => {
  it("visitors get 503 at once from full replicas, while pages, reports and the api still respond", async () => {
    const [first, second] = [await startBusyService(), await startBusyService()];
    const gateway = await startGatewayWith({ redirect: [first, second] });
    const limit = 2 * IN_PROGRESS_PER_REPLICA.redirect;
    const held = await gateway.fill(limit, "/l/abc2345", distinctAddress);
    const refused = await gateway.from("203.0.113.9", "/l/abc2345");
    expect(refused).toMatchObject({ status: 503, headers: { "retry-after": "5" } });
    expect(refused.text).toContain("We'll be right back");
    expect(await gateway.from("203.0.113.9", "/api/visitor")).toMatchObject({ status: 200 });
    expect(await gateway.from("203.0.113.9", "/")).toMatchObject({ status: 200 });
    const report = gateway.from("203.0.113.9", "/l/abc2345/outcome", { method: "POST" });
    await vi.waitFor(() => expect(waiting).toHaveLength(limit + 1), WAIT);
    waiting[0]?.end("done");
    expect(await Promise.race(held)).toMatchObject({ status: 200 });
    await gateway.fill(1, "/l/abc2345", distinctAddress);
    for (const response of waiting) finish(response);
    const statuses = (await Promise.all([...held, report])).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  if (RESOLVES_IN_UPSTREAMS) {
    it("the limits follow the number of addresses of the replicas' name", async () => {
      const first = await startBusyService();
      const port = Number(first.split(":")[1]);
      await startBusyService({ host: "127.0.0.2", port });
      const addresses = ["127.0.0.1"];
      const names = await startNameServer((type) => (type === "A" ? addresses : []));
      const gateway = await startGatewayWith({
        redirect: [`redirect.internal:${port}`],
        nameServers: [names],
      });
      const visit = () => gateway.from("203.0.113.9", "/l/abc2345");
      await gateway.fill(IN_PROGRESS_PER_REPLICA.redirect, "/l/abc2345", distinctAddress);
      expect(await visit()).toMatchObject({ status: 503 });
      addresses.push("127.0.0.2");
      await vi.waitFor(async () => {
        const previous = waiting.length;
        void visit();
        await vi.waitFor(() => expect(waiting.length).toBeGreaterThan(previous), { timeout: 3_000 });
      }, WAIT);
      const more = 2 * IN_PROGRESS_PER_REPLICA.redirect - waiting.length;
      await gateway.fill(more, "/l/abc2345", distinctAddress);
      expect(await visit()).toMatchObject({ status: 503 });
    });
  }

  it("resets no connection when thousands of visits arrive at once", async ({ skip }) => {
    if (openFilesLimit() <= 3 * MANY_VISITS) skip(`needs a limit of more than ${3 * MANY_VISITS} open files`);
    const gateway = await startGatewayWith({ redirect: [await startBusyService()], workers: 2 });
    const outcomes: (number | string)[] = [];
    const visits = Array.from({ length: MANY_VISITS }, async () => {
      const response = gateway.send("/l/abc2345");
      outcomes.push(
        await response.then(
          ({ status }) => status,
          ({ code }) => code,
        ),
      );
    });
    const allHaveArrived = () => outcomes.length + waiting.length >= MANY_VISITS;
    await vi.waitUntil(allHaveArrived, WAIT);
    const refused = outcomes.filter((outcome) => outcome === 503);
    expect(refused.length).toBeGreaterThan(MANY_VISITS / 2);
    isBusy = false;
    for (const response of waiting) finish(response);
    await Promise.all(visits);
    // 504: on a slow machine one of the first may have waited for 10 s.
    expect(outcomes.filter((outcome) => ![200, 503, 504].includes(Number(outcome)))).toEqual([]);
  });
});

it("kept connections without a request give way to new visitors", async () => {
  isBusy = false;
  const gateway = await startGatewayWith({ redirect: [await startBusyService()], workers: 1, memoryBytes: 0 });
  const replies: string[] = [];
  // More than the connections of a worker without memory.
  for (let visitor = 0; visitor < 700; visitor++) {
    const socket = connect(gateway.port, "127.0.0.1");
    onTestFinished(() => void socket.destroy());
    socket.write("GET /l/abc2345 HTTP/1.1\r\nHost: localhost\r\n\r\n");
    const [reply] = await once(socket, "data");
    replies.push(String(reply).slice(0, 15));
  }
  expect(new Set(replies)).toEqual(new Set(["HTTP/1.1 200 OK"]));
});

describe("a client with too many requests in progress", () => {
  it.each([
    ["an IPv4 address", () => "203.0.113.9", "203.0.113.9", "203.0.113.10"],
    [
      "an IPv6 /64 network",
      (index: number) => `2001:db8:0:1:${index.toString(16)}::1`,
      "2001:db8:0:1::ffff",
      "2001:db8:0:2::1",
    ],
    ["an IPv4-mapped address", () => "::ffff:203.0.113.9", "::ffff:203.0.113.9", "::ffff:203.0.113.10"],
  ])("gets 429, and others do not: %s", async (_title, addressOf, refused, other) => {
    const gateway = await startGatewayWith({ api: [await startBusyService()] });
    await gateway.fill(IN_PROGRESS_PER_ADDRESS, "/api/links", addressOf);
    expect(await gateway.from(refused, "/api/links")).toMatchObject({
      status: 429,
      headers: { "retry-after": "5", "content-type": "text/plain; charset=utf-8" },
    });
    await gateway.fill(1, "/api/links", () => other);
  });

  it("a busy client may visit links, but no path that only looks like a visit", async () => {
    const gateway = await startGatewayWith({ api: [await startBusyService()] });
    await gateway.fill(IN_PROGRESS_PER_ADDRESS, "/api/links", () => "203.0.113.9");
    expect((await gateway.from("203.0.113.9", "/l/abc2345")).status).toBe(200);
    expect((await gateway.from("203.0.113.9", "/l/%2e%2e/api/links")).status).toBe(429);
  });
});
