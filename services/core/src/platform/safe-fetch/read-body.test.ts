import { Readable } from "node:stream";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { FETCH_MAX_BYTES } from "@tapthru/proto/rules/limits";
import { describe, expect, it, vi } from "vitest";
import { readBody } from "./safe-fetch.ts";

const PAGE = "<title>Été</title>".repeat(100);

const pageOf = (...chunks: Buffer[]) => Readable.from(chunks);

describe("readBody", () => {
  it.each([
    [null, Buffer.from(PAGE)],
    ["identity", Buffer.from(PAGE)],
    ["gzip", gzipSync(PAGE)],
    ["X-GZIP", gzipSync(PAGE)],
    ["deflate", deflateSync(PAGE)],
    ["br", brotliCompressSync(PAGE)],
  ])("reads a whole page in encoding %s", async (encoding, bytes) => {
    const body = await readBody(pageOf(bytes), encoding);
    expect(body.bytes.toString()).toBe(PAGE);
    expect(body.truncated).toBe(false);
  });

  it.each(["compress", "zstd", "gzip, gzip", ""])("refuses encoding '%s'", async (encoding) => {
    await expect(readBody(pageOf(Buffer.from(PAGE)), encoding)).rejects.toMatchObject({
      code: "bad-response",
    });
  });

  it("reads a page of exactly 2 MiB completely", async () => {
    const body = await readBody(pageOf(Buffer.alloc(FETCH_MAX_BYTES)), null);
    expect(body).toMatchObject({ bytes: { length: FETCH_MAX_BYTES }, truncated: false });
  });

  it.each([
    ["gzip", gzipSync],
    ["deflate", deflateSync],
    ["br", brotliCompressSync],
  ])("cuts a decompression bomb in encoding %s at 2 MiB", async (encoding, compress) => {
    const body = await readBody(pageOf(compress(Buffer.alloc(64 * 1024 * 1024))), encoding);
    expect(body).toMatchObject({ bytes: { length: FETCH_MAX_BYTES }, truncated: true });
  });

  it("cuts an endless page at 2 MiB and closes it", async () => {
    const page = new Readable({
      read() {
        this.push(Buffer.alloc(64 * 1024 + 1));
      },
    });
    const body = await readBody(page, null);
    expect(body).toMatchObject({ bytes: { length: FETCH_MAX_BYTES }, truncated: true });
    expect(page.destroyed).toBe(true);
  });

  it("returns what arrived before the page was cut off", async () => {
    const page = new Readable({ read() {} });
    page.push(PAGE);
    const body = readBody(page, null);
    await vi.waitFor(() => expect(page.readableLength).toBe(0), { timeout: 30_000 });
    page.destroy(new Error("reset"));
    expect(await body).toEqual({ bytes: Buffer.from(PAGE), truncated: true });
  });

  it("returns what could be decompressed of a damaged page", async () => {
    const noise = Buffer.from(PAGE.repeat(200) + Math.PI.toString().repeat(9_000));
    const damaged = gzipSync(noise).subarray(0, -20);
    const body = await readBody(pageOf(damaged), "gzip");
    expect(body.truncated).toBe(true);
    expect(body.bytes.toString().startsWith(PAGE)).toBe(true);
  });
});
