import { startNameServer } from "@tapthru/runtime/testing/name-server";
import { expect, it, vi } from "vitest";
import { upstream } from "./nginx/upstreams.ts";
import type { Discovery } from "./settings.ts";
import { gatewayForTest, RESOLVES_IN_UPSTREAMS } from "./testing/start-gateway.ts";
import { upstreamForTest } from "./testing/upstream.ts";

const DISCOVERY_MODES = RESOLVES_IN_UPSTREAMS ? [true, false] : [false];

function discovery(nameServer: string, inUpstreams: boolean): Discovery {
  return { nameServers: [nameServer], inUpstreams };
}

it.each(DISCOVERY_MODES)(
  "finds a service at its new address within five seconds (in upstreams: %s)",
  async (inUpstreams) => {
    const first = await upstreamForTest((_, response) => response.end("first"));
    const port = Number(first.address.split(":")[1]);
    let currentAddress = "127.0.0.1";
    const names = await startNameServer((type) => (type === "A" ? [currentAddress] : []));
    const gateway = await gatewayForTest({
      api: [`api.internal:${port}`],
      redirect: [`redirect.internal:${port}`],
      discovery: discovery(names, inUpstreams),
    });
    const paths = ["/l/abc2345?x=%2F", "/api/visitor"];
    const texts = () => Promise.all(paths.map(async (path) => (await gateway.send(path)).text));
    await vi.waitFor(async () => expect(await texts()).toEqual(["first", "first"]), 5_000);

    await upstreamForTest((_, response) => response.end("second"), {
      host: "127.0.0.2",
      port,
    });
    currentAddress = "127.0.0.2";
    first.stop();

    await vi.waitFor(async () => expect(await texts()).toEqual(["second", "second"]), 5_000);
  },
);

it.each(DISCOVERY_MODES)(
  "passes the request's path on unchanged, including that of the card (in upstreams: %s)",
  async (inUpstreams) => {
    const service = await upstreamForTest((request, response) => response.end(request.url));
    const names = await startNameServer((type) => (type === "A" ? ["127.0.0.1"] : []));
    const name = `service.internal:${service.address.split(":")[1]}`;
    const gateway = await gatewayForTest({
      api: [name],
      redirect: [name],
      emulator: name,
      discovery: discovery(names, inUpstreams),
    });
    const received = async (path: string, headers = {}) =>
      (await gateway.send(path, { headers })).text;

    expect(await received("/l/abc2345?a=%20%2F&b")).toBe("/l/abc2345?a=%20%2F&b");
    expect(await received("/api/metadata?product_id=x")).toBe("/api/metadata?product_id=x");
    expect(await received("/emulator/action?mode=x")).toBe("/emulator/action?mode=x");
    const crawler = { "User-Agent": "facebookexternalhit/1.1" };
    expect(await received("/redirect?product_id=x", crawler)).toBe("/redirect?product_id=x");
  },
);

it("accepts several names of a service only if nginx resolves names in upstreams", () => {
  const names = ["api-0.internal:8080", "api-1.internal:8080"];

  expect(() => upstream("api", names, discovery("127.0.0.1", false))).toThrow(RangeError);
  expect(upstream("api", names, discovery("127.0.0.1", true))).toContain("api-1.internal");
});
