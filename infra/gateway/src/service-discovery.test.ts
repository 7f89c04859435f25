import { startNameServer } from "@tapthru/core/platform/testing/name-server";
import { expect, it, vi } from "vitest";
import { upstream } from "./nginx/upstreams.ts";
import { gatewayForTest, RESOLVES_IN_UPSTREAMS } from "./testing/start-gateway.ts";
import { upstreamForTest } from "./testing/upstream.ts";

const PATHS = ["/l/abc2345?a=%20%2F&b", "/api/metadata?product_id=x", "/redirect?product_id=x"];

it("resolves the names of services again and again", () => {
  expect(upstream("api", ["api.internal:8080"], true, 64)).toContain('server "api.internal:8080" resolve max_conns=64');
  expect(upstream("api", ["127.0.0.1:8080"], false, 64)).toContain('server "127.0.0.1:8080" max_conns=64');
});

/** The nginx of Debian and Ubuntu, which `start` uses with addresses, refuses `resolve`. */
const itIfItCan = RESOLVES_IN_UPSTREAMS ? it : () => {};

itIfItCan("finds a service at its new address, and passes paths on unchanged", async () => {
  const start = (name: string, options = {}) =>
    upstreamForTest((request, response) => response.end(`${name} ${request.url}`), options);
  const first = await start("first");
  const port = Number(first.address.split(":")[1]);
  let currentAddress = "127.0.0.1";
  const names = await startNameServer((type) => (type === "A" ? [currentAddress] : []));
  const service = `service.internal:${port}`;
  const services = { api: [service], redirect: [service] };
  const gateway = await gatewayForTest({ ...services, nameServers: [names] });
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
});
