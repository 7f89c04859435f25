import { expect, it } from "vitest";
import { gatewayForTest } from "../testing/start-gateway.ts";

async function start(settings: Parameters<typeof gatewayForTest>[0]) {
  const gateway = await gatewayForTest(settings);
  return (path: string, proto: string) =>
    gateway.send(path, {
      headers: { "X-Forwarded-Proto": proto, Host: "evil.example" },
    });
}

const PATHS = ["/", "/l/a%20b?tag=a%26b", "/api/visitor", "/version.txt"];

it.each(["http", "HTTP", "http, https"])(
  "redirects visitors with X-Forwarded-Proto %s to the same address with https",
  async (proto) => {
    const get = await start({ trustedProxies: ["127.0.0.0/8"] });

    for (const path of PATHS) {
      expect(await get(path, proto)).toMatchObject({
        status: 301,
        headers: { location: `https://links.example${path}` },
      });
    }
  },
);

it.each([
  ["who use https", "https", { trustedProxies: ["127.0.0.1"] }],
  ["of an untrusted proxy", "http", { trustedProxies: ["10.0.0.0/8"] }],
  ["without a proxy", "http", {}],
  [
    "of a site without https",
    "http",
    { trustedProxies: ["127.0.0.1"], publicBaseUrl: "http://localhost:8080" },
  ],
])("serves visitors %s", async (_title, proto, settings) => {
  const get = await start(settings);

  for (const path of PATHS) expect((await get(path, proto)).status).toBe(200);
});
