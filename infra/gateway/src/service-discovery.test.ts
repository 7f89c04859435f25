import { spawnSync } from "node:child_process";
import { expect, it, onTestFinished, vi } from "vitest";
import { supportsUpstreamResolve } from "./container-settings.ts";
import { upstream } from "./nginx/upstreams.ts";
import type { Discovery } from "./settings.ts";
import { startNameServer } from "./testing/name-server.ts";
import { sendRequest } from "./testing/send-request.ts";
import { startGateway } from "./testing/start-gateway.ts";
import { startUpstream } from "./testing/upstream.ts";

const { stderr: version } = spawnSync(process.env.TEST_NGINX ?? "nginx", ["-v"], {
  encoding: "utf8",
});
const DISCOVERY_MODES = supportsUpstreamResolve(version) ? [true, false] : [false];

function discovery(nameServer: string, inUpstreams: boolean): Discovery {
  return { nameServers: [nameServer], inUpstreams };
}

it.each(DISCOVERY_MODES)(
  "finds a service at its new address within five seconds (in upstreams: %s)",
  async (inUpstreams) => {
    const first = await startUpstream((_, response) => response.end("first"));
    onTestFinished(first.stop);
    const port = Number(first.address.split(":")[1]);
    let currentAddress = "127.0.0.1";
    const names = await startNameServer(() => [currentAddress]);
    onTestFinished(names.stop);
    const gateway = await startGateway({
      api: [`api.internal:${port}`],
      redirect: [`redirect.internal:${port}`],
      discovery: discovery(names.address, inUpstreams),
    });
    onTestFinished(gateway.stop);
    const paths = ["/l/abc2345?x=%2F", "/api/visitor"];
    const texts = () =>
      Promise.all(paths.map(async (path) => (await sendRequest(`${gateway.url}${path}`)).text));
    await vi.waitFor(async () => expect(await texts()).toEqual(["first", "first"]), 5_000);

    const second = await startUpstream((_, response) => response.end("second"), {
      host: "127.0.0.2",
      port,
    });
    onTestFinished(second.stop);
    currentAddress = "127.0.0.2";
    first.stop();

    await vi.waitFor(async () => expect(await texts()).toEqual(["second", "second"]), 5_000);
  },
);

it.each(DISCOVERY_MODES)(
  "passes the request's path on unchanged, including that of the card (in upstreams: %s)",
  async (inUpstreams) => {
    const service = await startUpstream((request, response) => response.end(request.url));
    onTestFinished(service.stop);
    const names = await startNameServer(() => ["127.0.0.1"]);
    onTestFinished(names.stop);
    const name = `service.internal:${service.address.split(":")[1]}`;
    const gateway = await startGateway({
      api: [name],
      redirect: [name],
      emulator: name,
      discovery: discovery(names.address, inUpstreams),
    });
    onTestFinished(gateway.stop);
    const received = async (path: string, headers = {}) =>
      (await sendRequest(`${gateway.url}${path}`, { headers })).text;

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
