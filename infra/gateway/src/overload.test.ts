import type { ServerResponse } from "node:http";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { IN_PROGRESS_PER_ADDRESS, IN_PROGRESS_PER_REPLICA } from "./limits.ts";
import { ask, type Question } from "./test/ask.ts";
import { startGateway } from "./test/start-gateway.ts";
import { NOBODY, startUpstream } from "./test/upstream.ts";

const PATIENCE = { timeout: 10_000 };

const waiting: ServerResponse[] = [];
afterEach(() => {
  for (const response of waiting.splice(0)) response.end("done");
});

/** A service whose replies wait until they are ended. */
async function startBusy() {
  const busy = await startUpstream((_request, response) => void waiting.push(response));
  onTestFinished(busy.stop);
  return busy.address;
}

async function gatewayWith(settings: Parameters<typeof startGateway>[0]) {
  const gateway = await startGateway({ trustedProxies: ["127.0.0.1"], ...settings });
  onTestFinished(gateway.stop);
  return {
    ...gateway,
    from: (address: string, path: string, question?: Question) =>
      ask(`${gateway.url}${path}`, { ...question, headers: { "X-Forwarded-For": address } }),
    /** Leaves so many requests waiting. */
    async fill(count: number, path: string, addressOf: (index: number) => string) {
      const before = waiting.length;
      const asked = Array.from({ length: count }, (_, index) =>
        ask(`${gateway.url}${path}`, { headers: { "X-Forwarded-For": addressOf(index) } }),
      );
      await vi.waitFor(() => expect(waiting).toHaveLength(before + count), PATIENCE);
      return asked;
    },
  };
}

const ownAddress = (index: number) => `203.0.${index >> 8}.${index & 255}`;

describe("replicas that have all the visits they may have", () => {
  it("get no more: visitors get a 503 at once, and pages, reports and the api go on", async () => {
    const [first, second] = [await startBusy(), await startBusy()];
    const gateway = await gatewayWith({ redirect: [first, second] });
    const places = 2 * IN_PROGRESS_PER_REPLICA.redirect;
    const taken = await gateway.fill(places, "/l/abc2345", ownAddress);

    const refused = await gateway.from("203.0.113.9", "/l/abc2345");

    expect(refused).toMatchObject({ status: 503, headers: { "retry-after": "5" } });
    expect(refused.text).toContain("We will be right back");
    expect(await gateway.from("203.0.113.9", "/api/visitor")).toMatchObject({ status: 200 });
    expect(await gateway.from("203.0.113.9", "/")).toMatchObject({ status: 200 });
    const report = gateway.from("203.0.113.9", "/l/abc2345/outcome", { method: "POST" });
    await vi.waitFor(() => expect(waiting).toHaveLength(places + 1), PATIENCE);

    waiting[0]?.end("done");
    expect(await Promise.race(taken)).toMatchObject({ status: 200 });
    await gateway.fill(1, "/l/abc2345", ownAddress);

    for (const response of waiting) response.end("done");
    const statuses = (await Promise.all([...taken, report])).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  it("are told from replicas that are unavailable, which are a 502", async () => {
    const gateway = await gatewayWith({ redirect: [NOBODY] });

    expect(await gateway.from("203.0.113.9", "/l/abc2345")).toMatchObject({ status: 502 });
  });
});

describe("an address with too many requests in progress", () => {
  it("is refused more with 429, alone", async () => {
    const gateway = await gatewayWith({ api: [await startBusy()] });
    await gateway.fill(IN_PROGRESS_PER_ADDRESS, "/api/links", () => "203.0.113.9");

    const refused = await gateway.from("203.0.113.9", "/api/links");

    expect(refused).toMatchObject({
      status: 429,
      headers: { "retry-after": "5", "content-type": "text/plain; charset=utf-8" },
    });
    await gateway.fill(1, "/api/links", () => "203.0.113.10");
    expect(await gateway.from("203.0.113.9", "/l/abc2345")).toMatchObject({ status: 200 });
  });

  it("is one with its IPv6 network of 64 bits", async () => {
    const gateway = await gatewayWith({ api: [await startBusy()] });
    const addressOf = (index: number) => `2001:db8:0:1:${index.toString(16)}::1`;
    await gateway.fill(IN_PROGRESS_PER_ADDRESS, "/api/links", addressOf);

    expect(await gateway.from("2001:db8:0:1::ffff", "/api/links")).toMatchObject({ status: 429 });
    await gateway.fill(1, "/api/links", () => "2001:db8:0:2::1");
  });

  it("is not one with other IPv4 addresses that are written as IPv6", async () => {
    const gateway = await gatewayWith({ api: [await startBusy()] });
    await gateway.fill(IN_PROGRESS_PER_ADDRESS, "/api/links", () => "::ffff:203.0.113.9");

    expect(await gateway.from("::ffff:203.0.113.9", "/api/links")).toMatchObject({ status: 429 });
    await gateway.fill(1, "/api/links", () => "::ffff:203.0.113.10");
  });

  it("is counted where the path only looks like a visit's", async () => {
    const gateway = await gatewayWith({ api: [await startBusy()] });
    await gateway.fill(IN_PROGRESS_PER_ADDRESS, "/api/links", () => "203.0.113.9");

    const { status } = await gateway.from("203.0.113.9", "/l/%2e%2e/api/links");

    expect(status).toBe(429);
  });
});
