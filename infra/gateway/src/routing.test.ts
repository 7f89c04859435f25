import { describe, expect, it } from "vitest";
import type { RequestOptions } from "./testing/send-request.ts";
import { sharedGateway } from "./testing/start-gateway.ts";

const gateway = sharedGateway();

const get = (path: string, options?: RequestOptions) => gateway().send(path, options);

describe("the services", () => {
  it.each([
    ["/l/abc2345", "redirect"],
    ["/l/", "redirect"],
    ["/L/ABC2345?UTM_SOURCE=Poster", "redirect"],
    ["/api/generate", "api"],
    ["/api", "api"],
  ])("receive %s: %s", async (path, service) => {
    const { status, text } = await get(path);

    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({ service, url: path });
  });

  it.each(["/l/a%20b//c%2Fd?tag=a%26b&u=https%3A%2F%2Fx", "/api/x?q=%F0%9F%92%A5&&=+"])(
    "receive the address byte for byte: %s",
    async (path) => {
      expect(JSON.parse((await get(path)).text).url).toBe(path);
    },
  );

  it("receive the body", async () => {
    const { text } = await get("/api/generate", { method: "POST", body: '{"url":"x"}' });

    expect(JSON.parse(text)).toMatchObject({ method: "POST", body: '{"url":"x"}' });
  });
});

describe("the SPA", () => {
  it.each([
    ["/", 200],
    ["/dashboard", 200],
    ["/Dashboard/", 200],
    ["/link/abc2345", 200],
    ["/link/abc2345/clicks", 200],
    ["/privacy/amazon-ads-api", 200],
    ["/account/security", 200],
    ["/account/x", 404],
    ["/redirect?product_id=x", 200],
    ["/link", 404],
    ["/link/abc2345/x", 404],
    ["/dashboardx", 404],
    ["/metrics", 404],
    ["/nginx_status", 404],
    ["/l", 404],
    ["/assets", 404],
    ["//l/x", 404],
  ])("serves its page at %s with %i, to be revalidated each time", async (path, expected) => {
    expect(await get(path)).toMatchObject({
      status: expected,
      headers: { "content-type": "text/html; charset=utf-8", "cache-control": "no-cache" },
      text: expect.stringContaining("<p>The SPA</p>"),
    });
  });

  it.each(["/assets/gone-B3c9.js", "/assets/", "/assets/app-B3c9.js.map", "/.env", "/.git/config"])(
    "responds to %s with 404, not to be cached",
    async (path) => {
      expect(await get(path)).toMatchObject({
        status: 404,
        headers: { "cache-control": "no-store" },
        text: expect.stringContaining("Page not found"),
      });
    },
  );
});

it.each([
  ["/assets/app-B3c9.js", "text/javascript; charset=utf-8", "public, max-age=31536000, immutable"],
  ["/version.txt", "text/plain; charset=utf-8", "no-cache"],
  ["/sw.js", "text/javascript; charset=utf-8", "no-cache"],
  ["/robots.txt", "text/plain; charset=utf-8", "no-cache"],
  ["/.well-known/security.txt", "text/plain; charset=utf-8", "no-cache"],
  ["/sitemap.xml", "application/xml", "no-cache"],
  ["/manifest.webmanifest", "application/manifest+json", "no-cache"],
  ["/config.json", "application/json", "no-cache"],
])("serves %s as %s, and browsers may cache it: %s", async (path, mediaType, caching) => {
  expect(await get(path)).toMatchObject({
    status: 200,
    headers: { "content-type": mediaType, "cache-control": caching },
  });
});

describe("the files that the gateway renders", () => {
  it("include /config.json for the browser", async () => {
    expect(JSON.parse((await get("/config.json")).text)).toEqual({
      publicBaseUrl: "https://links.example",
      productName: "Tapthru",
      contactEmail: "hello@links.example",
      firebase: null,
      signUp: "open",
      hasPasswordLogin: true,
      openIdConnect: null,
      hasAmazonAds: false,
      hasDomains: false,
    });
  });

  it.each(["/nginx.conf", "/access.log", "/public/config.json", "/_errors/502.html"])(
    "are not exposed as %s",
    async (path) => {
      expect((await get(path)).status).toBe(404);
    },
  );
});

describe("compression", () => {
  const headers = { "Accept-Encoding": "gzip" };

  it("compresses long responses of the api", async () => {
    const response = await get(`/api/echo?${"x".repeat(2000)}`, { headers });

    expect(response.headers["content-encoding"]).toBe("gzip");
  });

  it("does not compress the small pages of links", async () => {
    const response = await get(`/l/abc2345?${"x".repeat(2000)}`, { headers });

    expect(response.headers["content-encoding"]).toBeUndefined();
  });
});
