import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { CALLS } from "@tapthru/proto/calls";
import { ERRORS } from "@tapthru/proto/errors";
import * as identity from "@tapthru/proto/identity";
import { describe, expect, it } from "vitest";
import { startApi } from "../testing/world.ts";
import { createDocument, templateOf } from "./openapi/document.ts";

const api = await startApi({ PUBLIC_BASE_URL: "https://tap.example", PRODUCT_NAME: "<b>" });

const get = (path: string, headers = {}) => api.request("GET", path, headers);

const document = createDocument({
  publicBaseUrl: "https://tap.example",
  productName: "Tapthru",
  contactEmail: "hello@tap.example",
});
const text = JSON.stringify(document);

/** Codes of requests that reach no call, of /api/mcp, and of the calls for logins, which are not in the document. */
const OUTSIDE_OF_CALLS: string[] = [
  ...Object.values(identity).flatMap((value) => (Object(value).status ? [Object(value).code] : [])),
  "http-version-not-supported",
  "key-required",
  "method-not-allowed",
  "not-implemented",
];

const REDOCLY = fileURLToPath(new URL("../../node_modules/.bin/redocly", import.meta.url));
const RULES = fileURLToPath(new URL("redocly.yaml", import.meta.url));

describe("GET /api/openapi.json", () => {
  it("returns the document of this site", async () => {
    const response = await get("/api/openapi.json");
    expect(response.headers.get("content-type")).toMatch("application/json");
    expect(await response.json()).toEqual(JSON.parse(JSON.stringify(createDocument(api.context.documentSettings))));
  });

  it("lets clients cache the document for minutes, and responds 304 to a client that has it", async () => {
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

it("has each call once, under its name", () => {
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
  const ids = operations.map((operation) => (operation as { operationId: string }).operationId);
  expect(ids.sort()).toEqual(Object.keys(CALLS).sort());
});

it("refers only to parts that it has", () => {
  const references = new Set([...text.matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) => path));
  for (const path of references) {
    const part = path?.split("/").reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], document);
    expect(part, path).toBeDefined();
  }
});

it("has each error code", () => {
  const missing = Object.keys(ERRORS).filter((code) => !text.includes(`"code":"${code}"`));
  // Only results within a reply have these.
  expect(missing.sort()).toEqual([...OUTSIDE_OF_CALLS, "too-many-labels-on-link"].sort());
});

it("has only patterns that other languages than ECMAScript understand", () => {
  const patterns = [...text.matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)].map(([, json = ""]) =>
    String(JSON.parse(json)),
  );
  expect(patterns.length).toBeGreaterThan(5);
  expect(patterns.filter((pattern) => /\\p|\\0|[(][?][^:]/i.test(pattern))).toEqual([]);
});

it("names the scopes that a key needs, together or as alternatives", () => {
  const get = (path: string) => document.paths[path]?.get as { security: unknown };
  expect(get("/api/links").security).toEqual([{ session: [] }, { apiKey: ["links:read"] }]);
  expect(get("/api/export").security).toEqual([{ session: [] }, { apiKey: ["links:read", "clicks:read"] }]);
});

describe("a path", () => {
  it("has the names of its parameters in braces", () => {
    expect(templateOf("/a/:id/b/:code", ["/a/:id/b/:code"])).toEqual({
      template: "/a/{id}/b/{code}",
      pathNames: { id: "id", code: "code" },
    });
  });

  it("has both names of a parameter that two calls name differently", () => {
    const paths = ["/a/:code", "/a/:id", "/a/:code/b"];
    expect(templateOf("/a/:id", paths).template).toBe("/a/{codeOrId}");
    expect(templateOf("/a/:code/b", paths).template).toBe("/a/{code}/b");
  });
});

it("the OpenAPI document follows the rules of Redocly", async () => {
  const folder = await mkdtemp(join(tmpdir(), "tapthru-openapi-"));
  try {
    const file = join(folder, "openapi.json");
    const settings = { publicBaseUrl: "https://tap.test", productName: "Tapthru", contactEmail: "hello@tap.test" };
    await writeFile(file, JSON.stringify(createDocument(settings)));
    const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
    const run = promisify(execFile)(REDOCLY, ["lint", file, "--config", RULES, "--format=json"], { env });
    const { stdout } = await run.catch((error: { stdout: string }) => error);
    const { problems } = JSON.parse(stdout);
    expect(problems).toEqual([]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
