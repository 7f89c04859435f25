import { hugePage, tagFlood } from "@tapthru/amazon-stand-in/page-bytes";
import { FETCH_MAX_BYTES } from "@tapthru/proto/rules/limits";
import { describe, expect, it } from "vitest";
import { readPage } from "./read-page.ts";

/** Test timeout in milliseconds. Parsing a hostile page is aborted after seconds, and the machine may be busy. */
const TEST_TIMEOUT_MS = 60_000;
const NEVER = new AbortController().signal;

const read = (html: string, signal = NEVER, cpuMs?: number) =>
  readPage(
    {
      status: 200,
      contentType: "text/html",
      bytes: Buffer.from(html).subarray(0, FETCH_MAX_BYTES),
    },
    signal,
    cpuMs,
  );
const LAMP = '<span id="productTitle">Lamp</span>';

describe("readPage", () => {
  it("reads an ordinary page", { timeout: TEST_TIMEOUT_MS }, async () => {
    expect(await read(LAMP)).toMatchObject({ kind: "read", metadata: { title: "Lamp" } });
  });

  it("reads an ordinary page of maximum size", { timeout: TEST_TIMEOUT_MS }, async () => {
    expect(await read(hugePage(LAMP), NEVER, TEST_TIMEOUT_MS)).toMatchObject({
      metadata: { title: "Lamp" },
    });
  });

  it.each(["<div>", "<p>", "<b><table>"])(
    "aborts 2 MiB of %s, and reads the next page",
    { timeout: TEST_TIMEOUT_MS },
    async (tags) => {
      expect(await read(tagFlood(tags))).toEqual({ kind: "nothing", outcome: "unreadable" });
      expect(await read(LAMP)).toMatchObject({ kind: "read" });
    },
  );

  it("reads or aborts a page with very many Open Graph tags", {
    timeout: TEST_TIMEOUT_MS,
  }, async () => {
    expect(await read(tagFlood('<meta property="og:image" content="x">'))).toHaveProperty("kind");
  });

  it("does not block other work", { timeout: TEST_TIMEOUT_MS }, async () => {
    const abortedRead = read(tagFlood("<div>")).then(() => "given up");
    let ticks = 0;
    const tickTimer = setInterval(() => ticks++, 1);
    const first = await Promise.race([
      abortedRead,
      expect.poll(() => ticks, { timeout: TEST_TIMEOUT_MS }).toBeGreaterThan(20),
    ]);
    clearInterval(tickTimer);
    expect(first).not.toBe("given up");
    expect(await abortedRead).toBe("given up");
  });

  it("stops when it is aborted", { timeout: TEST_TIMEOUT_MS }, async () => {
    const stopping = new AbortController();
    const reading = read(tagFlood("<div>"), stopping.signal);
    stopping.abort(new Error("stop"));
    await expect(reading).rejects.toThrow("stop");
    await expect(read(LAMP, stopping.signal)).rejects.toThrow("stop");
  });
});
