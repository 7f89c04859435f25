import { expect, it } from "vitest";
import { gatewayForTest } from "../testing/start-gateway.ts";

async function start(settings: Parameters<typeof gatewayForTest>[0]) {
  const gateway = await gatewayForTest(settings);
  return (path: string, proto: string) =>
    gateway.send(path, { headers: { "X-Forwarded-Proto": proto, Host: "evil.example" } });
}

const PATHS = ["/", "/l/a%20b?tag=a%26b", "/api/visitor", "/version.txt"];

it.each(["http", "http, https"])(
  "redirects visitors with X-Forwarded-Proto %s to the same address with https",
  async (proto) => {
    const get = await start({ trustedProxies: ["127.0.0.0/8"] });
    for (const path of PATHS) {
      const headers = { location: `https://links.example${path}` };
      expect(await get(path, proto)).toMatchObject({ status: 301, headers });
    }
  },
);

it.each([
  ["who use https", "https", { trustedProxies: ["127.0.0.1"] }],
  ["of an untrusted proxy", "http", { trustedProxies: ["10.0.0.0/8"] }],
  ["without a proxy", "http", {}],
  ["of a site without https", "http", { trustedProxies: ["127.0.0.1"], PUBLIC_BASE_URL: "http://localhost:8080" }],
])("serves visitors %s", async (_title, proto, settings) => {
  const get = await start(settings);
  for (const path of PATHS) expect((await get(path, proto)).status).toBe(200);
});

const COUNTRY_HEADERS = ["cf-ipcountry", "cloudfront-viewer-country", "x-appengine-country", "x-fastly-country-code"];
const OTHERS = ["x-vercel-ip-country", "x-own-country", "x_own_country", "x-other"];
const SENT = Object.fromEntries([...COUNTRY_HEADERS, ...OTHERS].map((name) => [name, "DE"]));

/** The headers that are received with a country, of those that were sent. */
async function received(settings: Parameters<typeof gatewayForTest>[0], path: string) {
  const gateway = await gatewayForTest(settings);
  const headers = { ...SENT, "X-Forwarded-For": "203.0.113.9" };
  return Object.entries((await gateway.received(path, { headers })).headers)
    .filter(([, value]) => value === "DE")
    .map(([name]) => name)
    .sort();
}

it.each([
  ["/l/abc2345", ["10.0.0.0/8"]],
  ["/api/visitor", ["10.0.0.0/8"]],
  ["/l/abc2345", []],
])(
  "a visitor without a trusted proxy cannot name a country on %s, with trusted proxies %j",
  async (path, trustedProxies) => {
    const settings = { countryHeader: "x-own-country", trustedProxies };
    expect(await received(settings, path)).toEqual(["x-other"]);
  },
);

it("a trusted proxy names the visitor's country", async () => {
  const settings = { countryHeader: "x-own-country", trustedProxies: ["127.0.0.0/8"] };
  expect(await received(settings, "/l/abc2345")).toEqual(["x-other", "x-own-country"]);
});

const VISITOR = "203.0.113.9";

it("behind Cloudflare alone CF-Connecting-IP names the visitor, whatever a client sent in X-Forwarded-For", async () => {
  const gateway = await gatewayForTest({ trustedProxies: ["127.0.0.0/8"], visitorHeader: "CF-Connecting-IP" });
  const headers = { "CF-Connecting-IP": VISITOR, "X-Forwarded-For": "192.0.2.1, 198.51.100.1" };
  expect((await gateway.received("/api/visitor", { headers })).headers["x-forwarded-for"]).toBe(VISITOR);
});

it.each([
  ["no header of a proxy", [], {}, undefined],
  ["X-Forwarded-For, and no trusted proxy", [], { "X-Forwarded-For": VISITOR }, "127.0.0.1"],
  ["CF-Connecting-IP, and another trusted proxy", ["10.0.0.0/8"], { "CF-Connecting-IP": VISITOR }, "127.0.0.1"],
  ["X-Forwarded-For of a trusted proxy", ["127.0.0.0/8"], { "X-Forwarded-For": VISITOR }, undefined],
  [
    "both of Cloudflare, which is trusted",
    ["127.0.0.0/8"],
    { "X-Forwarded-For": VISITOR, "CF-Connecting-IP": VISITOR },
    undefined,
  ],
  [
    "Cloudflare in front of a trusted proxy",
    ["127.0.0.0/8"],
    { "X-Forwarded-For": "172.64.0.9", "CF-Connecting-IP": VISITOR },
    "172.64.0.9",
  ],
])(
  "the operator's page learns of a proxy that is not trusted: %s",
  async (_title, trustedProxies, headers, expected) => {
    const gateway = await gatewayForTest({ trustedProxies });
    const sent = { headers: { ...headers, "X-Untrusted-Proxy": "192.0.2.1" } };
    expect((await gateway.received("/api/operator/system", sent)).headers["x-untrusted-proxy"]).toBe(expected);
  },
);
