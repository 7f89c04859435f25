import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { sharedGateway } from "../testing/start-gateway.ts";

const gateway = await sharedGateway();

const get = (path: string, acceptEncoding?: string, headers = {}) =>
  gateway.send(path, {
    headers: { ...headers, ...(acceptEncoding !== undefined && { "Accept-Encoding": acceptEncoding }) },
  });

const DECODERS = { br: brotliDecompressSync, gzip: gunzipSync };
describe.each(["/assets/app-B3c9.js", "/", "/login"])("%s", (path) => {
  it.each([
    ["br", "br"],
    ["gzip;q=1.0, br;q=0.001", "br"],
    ["GZIP , BR ; q=0.5", "br"],
    ["deflate,gzip", "gzip"],
    ["br;q=0, gzip", "gzip"],
    ["br; q=0., gzip", "gzip"],
    ["brotli, gzip", "gzip"],
  ] as const)("a client that accepts '%s' gets the encoding %s", async (acceptEncoding, coding) => {
    const plain = await get(path);
    const { status, headers, headerLines, bytes } = await get(path, acceptEncoding);
    expect(status).toBe(200);
    expect(headerLines["content-encoding"]).toEqual([coding]);
    expect(headerLines.vary).toEqual(["Accept-Encoding"]);
    for (const name of ["content-type", "cache-control", "content-security-policy"]) {
      expect(headers[name]).toBe(plain.headers[name]);
    }
    expect(headers.etag).not.toBe(plain.headers.etag);
    expect(DECODERS[coding](bytes)).toEqual(plain.bytes);
  });

  it.each([undefined, "br;q=0, gzip;q=0", "deflate, zstd"])(
    "is not encoded for a client that accepts %j",
    async (acceptEncoding) => {
      const { status, headers, headerLines } = await get(path, acceptEncoding);
      expect(status).toBe(200);
      expect(headers["content-encoding"]).toBeUndefined();
      expect(headerLines.vary).toEqual(["Accept-Encoding"]);
    },
  );

  it("is revalidated by the entity tag of its coding", async () => {
    const { headers } = await get(path, "br");
    const again = await get(path, "br", { "If-None-Match": headers.etag });
    const other = await get(path, "gzip", { "If-None-Match": headers.etag });
    expect(again.status).toBe(304);
    expect(other.status).toBe(200);
  });
});

it("serves a file without copies as it is", async () => {
  const { status, headers, text } = await get("/assets/small-B3c9.css", "br, gzip");
  expect(status).toBe(200);
  expect(headers).toMatchObject({ "content-type": "text/css; charset=utf-8", vary: "Accept-Encoding" });
  expect(headers["content-encoding"]).toBeUndefined();
  expect(text).toBe("p{}");
});

it("does not encode the error page of a missing script", async () => {
  const { status, headers, text } = await get("/assets/gone-B3c9.js", "br");
  expect(status).toBe(404);
  expect(headers["content-encoding"]).toBeUndefined();
  expect(headers["content-type"]).toBe("text/html; charset=utf-8");
  expect(text).toContain("Page not found");
});
