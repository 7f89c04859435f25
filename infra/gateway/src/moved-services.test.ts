import { spawnSync } from "node:child_process";
import { expect, it, onTestFinished, vi } from "vitest";
import { supportsUpstreamResolve } from "./container-settings.ts";
import type { Discovery } from "./settings.ts";
import { ask } from "./testing/ask.ts";
import { startNameServer } from "./testing/name-server.ts";
import { startGateway } from "./testing/start-gateway.ts";
import { startUpstream } from "./testing/upstream.ts";
import { upstream } from "./upstreams.ts";

const { stderr: version } = spawnSync(process.env.TEST_NGINX ?? "nginx", ["-v"], {
  encoding: "utf8",
});
const WAYS = supportsUpstreamResolve(version) ? [true, false] : [false];

function discovery(nameServer: string, inUpstreams: boolean): Discovery {
  return { nameServers: [nameServer], inUpstreams };
}

it.each(WAYS)(
  "finds a service at its new address within five seconds (in upstreams: %s)",
  async (inUpstreams) => {
    const before = await startUpstream((_, response) => response.end("before"));
    onTestFinished(before.stop);
    const port = Number(before.address.split(":")[1]);
    let now = "127.0.0.1";
    const names = await startNameServer(() => [now]);
    onTestFinished(names.stop);
    const gateway = await startGateway({
      api: [`api.internal:${port}`],
      redirect: [`redirect.internal:${port}`],
      discovery: discovery(names.address, inUpstreams),
    });
    onTestFinished(gateway.stop);
    const paths = ["/l/abc2345?x=%2F", "/api/visitor"];
    const answers = () =>
      Promise.all(paths.map(async (path) => (await ask(`${gateway.url}${path}`)).text));
    await vi.waitFor(async () => expect(await answers()).toEqual(["before", "before"]), 5_000);

    const after = await startUpstream((_, response) => response.end("after"), {
      host: "127.0.0.2",
      port,
    });
    onTestFinished(after.stop);
    now = "127.0.0.2";
    before.stop();

    await vi.waitFor(async () => expect(await answers()).toEqual(["after", "after"]), 5_000);
  },
);

it.each(WAYS)(
  "passes a path on as it came, and the card's own (in upstreams: %s)",
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
      (await ask(`${gateway.url}${path}`, { headers })).text;

    expect(await received("/l/abc2345?a=%20%2F&b")).toBe("/l/abc2345?a=%20%2F&b");
    expect(await received("/api/metadata?product_id=x")).toBe("/api/metadata?product_id=x");
    expect(await received("/emulator/action?mode=x")).toBe("/emulator/action?mode=x");
    const crawler = { "User-Agent": "facebookexternalhit/1.1" };
    expect(await received("/redirect?product_id=x", crawler)).toBe("/redirect?product_id=x");
  },
);

it("takes one name of a service, or several where this nginx can follow them", () => {
  const names = ["api-0.internal:8080", "api-1.internal:8080"];

  expect(() => upstream("api", names, discovery("127.0.0.1", false))).toThrow(RangeError);
  expect(upstream("api", names, discovery("127.0.0.1", true))).toContain("api-1.internal");
});
