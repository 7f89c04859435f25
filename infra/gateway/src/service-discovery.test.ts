import { startNameServer } from "@tapthru/core/platform/testing/name-server";
import { expect, it, vi } from "vitest";
import { upstream } from "./nginx/upstreams.ts";
import type { Discovery } from "./settings.ts";
import { gatewayForTest, RESOLVES_IN_UPSTREAMS } from "./testing/start-gateway.ts";
import { upstreamForTest } from "./testing/upstream.ts";

const DISCOVERY_MODES = RESOLVES_IN_UPSTREAMS ? [true, false] : [false];

const discovery = (nameServer: string, inUpstreams: boolean): Discovery => ({ nameServers: [nameServer], inUpstreams });

const PATHS = ["/l/abc2345?a=%20%2F&b", "/api/metadata?product_id=x", "/redirect?product_id=x"];

it.each(DISCOVERY_MODES)(
  "finds a service at its new address, and passes paths on unchanged (in upstreams: %s)",
  async (inUpstreams) => {
    const start = (name: string, options = {}) =>
      upstreamForTest((request, response) => response.end(`${name} ${request.url}`), options);
    const first = await start("first");
    const port = Number(first.address.split(":")[1]);
    let currentAddress = "127.0.0.1";
    const names = await startNameServer((type) => (type === "A" ? [currentAddress] : []));
    const service = `service.internal:${port}`;
    const services = { api: [service], redirect: [service] };
    const gateway = await gatewayForTest({ ...services, discovery: discovery(names, inUpstreams) });
    // For this user agent /redirect is a card.
    const headers = { "User-Agent": "facebookexternalhit/1.1" };
    const texts = () => Promise.all(PATHS.map(async (path) => (await gateway.send(path, { headers })).text));
    const expectTexts = (name: string) =>
      vi.waitFor(async () => expect(await texts()).toEqual(PATHS.map((path) => `${name} ${path}`)), {
        timeout: 60_000,
      });
    await expectTexts("first");
    await start("second", { host: "127.0.0.2", port });
    currentAddress = "127.0.0.2";
    first.stop();
    await expectTexts("second");
  },
);

it("accepts several names of a service only if nginx resolves names in upstreams", () => {
  const names = ["api-0.internal:8080", "api-1.internal:8080"];
  expect(() => upstream("api", names, discovery("127.0.0.1", false))).toThrow(RangeError);
  expect(upstream("api", names, discovery("127.0.0.1", true))).toContain("api-1.internal");
});
