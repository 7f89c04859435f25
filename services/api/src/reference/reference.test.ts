import { describe, expect, it } from "vitest";
import { startApi } from "../testing/world.ts";
import { createDocument } from "./openapi/document.ts";

const api = await startApi({ PUBLIC_BASE_URL: "https://tap.example", PRODUCT_NAME: "<b>" });

const get = (path: string, headers = {}) => api.request("GET", path, headers);

describe("GET /api/openapi.json", () => {
  it("returns the document of this site", async () => {
    const response = await get("/api/openapi.json");
    expect(response.headers.get("content-type")).toMatch("application/json");
    expect(await response.json()).toEqual(JSON.parse(JSON.stringify(createDocument(api.context.documentSettings))));
  });

  it("may be cached for minutes, and responds 304 to who has it", async () => {
    const { headers } = await get("/api/openapi.json");
    expect(headers.get("cache-control")).toBe("public, max-age=300");
    const etag = headers.get("etag");
    for (const tag of [etag, `W/${etag}`]) {
      // Without `cache-control` fetch sends "no-cache".
      const conditions = { "if-none-match": tag, "cache-control": "max-age=0" };
      const again = await get("/api/openapi.json", conditions);
      expect([again.status, await again.text()]).toEqual([304, ""]);
    }
    expect((await get("/api/openapi.json", { "if-none-match": '"other"' })).status).toBe(200);
  });
});

describe("GET /api/docs", () => {
  it("has no inline script or style and loads only files of this service", async () => {
    const response = await get("/api/docs");
    const html = await response.text();
    const addresses = [...html.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address = ""]) => address);
    expect(html).toContain("&lt;b&gt; API");
    expect(html).not.toMatch(/<script[^>]*>[^<]|<style| style=| on\w+=|https?:/);
    expect(addresses).toContain("/api/docs/swagger-ui-bundle.js");
    for (const address of addresses.filter((path) => path.startsWith("/api/"))) {
      expect((await get(address)).status).toBe(200);
    }
  });

  it("has a policy that allows scripts, styles and requests of this origin only", async () => {
    const policy = (await get("/api/docs")).headers.get("content-security-policy");
    expect(policy).toMatch("default-src 'none'; script-src 'self'; style-src 'self';");
    expect(policy).not.toMatch(/unsafe|https?:/);
  });
});
