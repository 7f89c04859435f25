import { once } from "node:events";
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BUILT_IN_OPENING_TABLE } from "@tapthru/proto/rules/app-opening/built-in-app-opening";
import { describe, expect, it, onTestFinished } from "vitest";
import type { RequestOptions } from "./testing/send-request.ts";
import { gatewayForTest, gatewayOfService, sharedGateway } from "./testing/start-gateway.ts";

const gateway = await sharedGateway();

const TEXT = "text/plain; charset=utf-8";
const HTML = "text/html; charset=utf-8";
const SCRIPT = "text/javascript; charset=utf-8";

/** Each header that every response has, once. */
const SECURITY_HEADERS = {
  "cross-origin-opener-policy": ["same-origin"],
  "cross-origin-resource-policy": [expect.stringMatching(/^(same|cross)-origin$/)],
  "permissions-policy": [expect.stringContaining("camera=()")],
  "referrer-policy": ["strict-origin-when-cross-origin"],
  "strict-transport-security": ["max-age=31536000"],
  "x-content-type-options": ["nosniff"],
  "x-request-id": [expect.stringMatching(/^[0-9a-f]{32}$/)],
  "cache-control": [expect.any(String)],
  "content-security-policy": [expect.stringMatching(/^(?!.*unsafe).*frame-ancestors 'none'/)],
};

/** Expectations that all responses of a kind share. */
interface Expected {
  type?: string;
  cache?: string;
  /** The cross-origin resource policy. */
  policy?: string;
  text?: string | RegExp;
}

type Sent = [path: string, status: number, options?: RequestOptions];
const ok = (...paths: string[]): Sent[] => paths.map((path) => [path, 200]);
const missing = (...paths: string[]): Sent[] => paths.map((path) => [path, 404]);
const at = (path: string): Sent[] => [
  [path, 431, { headers: { cookie: "c".repeat(40_000) } }],
  [`${path}?${"q".repeat(40_000)}`, 414],
  [path, 413, { method: "POST", body: "b".repeat(20_000) }],
  [`${path}/%zz`, 400],
  [path, 405, { method: "TRACE" }],
];

const SPA = { type: HTML, cache: "no-cache", policy: "same-origin", text: "<p>The SPA</p>" };
const KINDS: [kind: string, Expected, Sent[]][] = [
  [
    "a page of the site",
    SPA,
    [
      ...ok("/", "/dashboard", "/Dashboard/", "/link/abc2345", "/link/abc2345/clicks", "/privacy/amazon-ads-api"),
      ...ok("/account/security", "/redirect?product_id=x"),
      ...missing("/account/x", "/link", "/link/abc2345/x", "/dashboardx", "/metrics", "/nginx_status", "/l", "//l/x"),
      ...missing("/assets"),
    ],
  ],
  [
    "a missing file",
    { type: HTML, cache: "no-store", text: "Page not found" },
    missing(
      "/assets/gone-B3c9.js",
      "/assets/",
      "/assets/app-B3c9.js.map",
      "/assets/app-B3c9.js.br",
      "/.env",
      "/.git/x",
    ),
  ],
  [
    "a file with a hash in its name",
    { type: SCRIPT, cache: "public, max-age=31536000, immutable", policy: "same-origin" },
    ok("/assets/app-B3c9.js"),
  ],
  ["a text", { type: TEXT, cache: "no-cache" }, ok("/version.txt", "/robots.txt", "/.well-known/security.txt")],
  ["the sitemap", { type: "application/xml", cache: "no-cache" }, ok("/sitemap.xml")],
  ["the manifest", { type: "application/manifest+json", cache: "no-cache" }, ok("/manifest.webmanifest")],
  ["the configuration", { type: "application/json", cache: "no-cache", policy: "same-origin" }, ok("/config.json")],
  [
    "the strategy table of this release",
    { type: "application/json", cache: "no-cache", text: `"version":"${BUILT_IN_OPENING_TABLE.version}"` },
    ok("/app-opening.json"),
  ],
  ["a picture that other sites show", { policy: "cross-origin" }, ok("/favicon.svg")],
  [
    "a reply of the api",
    { policy: "same-origin", text: '"service":"api"' },
    ok(
      "/api/generate",
      "/api",
      "/.well-known/oauth-protected-resource/api/mcp",
      "/.well-known/oauth-authorization-server",
    ),
  ],
  [
    "a reply of the redirect",
    { policy: "cross-origin", text: '"service":"redirect"' },
    ok("/l/abc2345", "/l/", "/L/ABC2345?UTM_SOURCE=Poster", "/l/abc2345.br"),
  ],
  [
    "an error of the gateway under /api",
    { type: TEXT, cache: "no-store", text: /^[A-Z][^<>]+\.\n$/ },
    at("/api/generate"),
  ],
  [
    "an error of the gateway elsewhere",
    { type: HTML, cache: "no-store", text: '<a href="https://links.example/">Go to Tapthru</a>' },
    [...at("/l/abc2345"), ["/", 405, { method: "POST" }], ["/%zz", 400]],
  ],
  [
    "a file that the gateway renders, as such",
    {},
    missing("/nginx.conf", "/access.log", "/public/config.json", "/_errors/502.html"),
  ],
];

describe.each(KINDS)("%s", (_kind, { type, cache, policy, text }, responses) => {
  it.each(responses)("has its headers and body: %.40s %i", async (path, status, options) => {
    const response = await gateway.send(path, options);
    expect(response).toMatchObject({
      status,
      headers: {
        ...(type !== undefined && { "content-type": type }),
        ...(cache !== undefined && { "cache-control": cache }),
        ...(policy !== undefined && { "cross-origin-resource-policy": policy }),
      },
      headerLines: SECURITY_HEADERS,
      text: expect.stringMatching(text ?? ""),
    });
    expect(response.headers.server).toBe("nginx");
  });
});

it.each(["/l/a%20b//c%2Fd?tag=a%26b&u=https%3A%2F%2Fx", "/api/x?q=%F0%9F%92%A5&&=+"])(
  "the services receive the address byte for byte, and the body: %s",
  async (path) => {
    expect((await gateway.received(path)).url).toBe(path);
    const posted = await gateway.received("/api/generate", { method: "POST", body: path });
    expect(posted).toMatchObject({ method: "POST", body: path });
  },
);

it("long responses of the api are compressed, the small pages of links are not", async () => {
  const codingOf = async (path: string) => {
    const { headers } = await gateway.send(`${path}?${"x".repeat(2000)}`, { headers: { "Accept-Encoding": "gzip" } });
    return headers["content-encoding"];
  };
  expect([await codingOf("/api/echo"), await codingOf("/l/abc2345")]).toEqual(["gzip", undefined]);
  // Its code ends like a compressed file.
  expect(await codingOf("/l/abc2345.br")).toBeUndefined();
});

it.each([302, 304, 204])("a service's response without a body has the security headers too: %i", async (status) => {
  const service = await gatewayOfService((_request, response) => response.writeHead(status).end());
  for (const path of ["/l/abc2345", "/api/visitor"]) {
    expect((await service.send(path)).headerLines).toMatchObject({
      ...SECURITY_HEADERS,
      "content-security-policy": ["default-src 'none'; frame-ancestors 'none'"],
    });
  }
});

it("an unchanged file has the security headers too", async () => {
  const { headers } = await gateway.send("/assets/app-B3c9.js");
  const response = await gateway.send("/assets/app-B3c9.js", { headers: { "If-None-Match": headers.etag } });
  expect(response).toMatchObject({ status: 304, headerLines: SECURITY_HEADERS });
});

it("Strict-Transport-Security is sent only if the site uses https, for the configured time", async () => {
  const hstsOf = async (settings: Parameters<typeof gatewayForTest>[0]) => {
    const { headers } = await (await gatewayForTest(settings)).send("/");
    return headers["strict-transport-security"];
  };
  expect(await hstsOf({ PUBLIC_BASE_URL: "http://localhost:8080" })).toBeUndefined();
  expect(await hstsOf({ HSTS_MAX_AGE: 0 })).toBe("max-age=0");
});

it("headers that a service sets are kept", async () => {
  const serviceHeaders = {
    "Cache-Control": "private, max-age=1",
    "Content-Security-Policy": "default-src 'self'",
    "Cross-Origin-Opener-Policy": "unsafe-none",
    "Cross-Origin-Resource-Policy": "same-site",
    "Permissions-Policy": "usb=()",
    "Referrer-Policy": "origin",
    "Strict-Transport-Security": "max-age=1",
    "X-Content-Type-Options": "nosniff",
  };
  const service = await gatewayOfService((_request, response) => response.writeHead(200, serviceHeaders).end());
  const expected = Object.entries(serviceHeaders).map(([name, value]) => [name.toLowerCase(), [value]]);
  for (const path of ["/api/visitor", "/l/abc2345"])
    expect((await service.send(path)).headerLines).toMatchObject(Object.fromEntries(expected));
});

it("the strategy table is the file that the services read, even after its folder is replaced", async () => {
  const folder = await mkdtemp(join(tmpdir(), "tapthru-strategies-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const publish = async (version: string) => {
    await mkdir(join(folder, `..${version}`));
    await writeFile(join(folder, `..${version}`, "table.json"), JSON.stringify({ version }));
    await symlink(`..${version}`, join(folder, "..data_tmp"));
    await rename(join(folder, "..data_tmp"), join(folder, "..data"));
  };
  await publish("one");
  await symlink("..data/table.json", join(folder, "table.json"));
  const gateway = await gatewayForTest({ APP_OPENING_FILE: join(folder, "table.json") });
  const get = (headers = {}) => gateway.send("/app-opening.json", { headers });
  const first = await get();
  expect(JSON.parse(first.text)).toEqual({ version: "one" });
  expect((await get({ "If-None-Match": first.headers.etag })).status).toBe(304);
  await publish("second");
  const second = await get({ "If-None-Match": first.headers.etag });
  expect([second.status, JSON.parse(second.text)]).toEqual([200, { version: "second" }]);
});

/** Sends the head of a request without its body. */
async function sendHead(request: string, ...headers: string[]): Promise<string> {
  const socket = connect(gateway.port, "127.0.0.1");
  const head = [`${request} HTTP/1.1`, "Host: x", "Connection: close", ...headers];
  socket.write(`${head.join("\r\n")}\r\n\r\n`);
  const [response] = await once(socket, "data");
  socket.destroy();
  return String(response);
}

describe.each(["GET /l/abc2345", "HEAD /l/abc2345", "GET /redirect"])("%s", (request) => {
  it.each(["Content-Length: 1", "Content-Length: 9999", "Transfer-Encoding: chunked"])(
    "rejects a request with a body before the body arrives: %s",
    async (header) => {
      expect(await sendHead(request, "User-Agent: Twitterbot/1.0", header)).toMatch(/^HTTP\/1.1 413 /);
    },
  );

  it.each(["Content-Length: 0", "Content-Type: text/plain"])("accepts a request without a body: %s", async (header) => {
    expect(await sendHead(request, "User-Agent: Twitterbot/1.0", header)).toMatch(/^HTTP\/1.1 200 /);
  });
});
