import { CALLS } from "@tapthru/proto/calls";
import { ERRORS } from "@tapthru/proto/errors";
import * as identity from "@tapthru/proto/identity";
import { describe, expect, it } from "vitest";
import { createDocument } from "./document.ts";
import { templateOf } from "./paths.ts";

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
