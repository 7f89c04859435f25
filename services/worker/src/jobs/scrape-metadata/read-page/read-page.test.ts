import { hugePage, tagFlood } from "@tapthru/amazon-stand-in/page-bytes";
import { FETCH_MAX_BYTES } from "@tapthru/proto/rules/limits";
import { describe, expect, it } from "vitest";
import { readPage } from "./read-page.ts";

/** Hostile pages are given up after seconds, and the machine may be busy. */
const LONG = 60_000;
const NEVER = new AbortController().signal;

const read = (html: string, signal = NEVER, deadlineMs?: number) =>
  readPage(
    {
      status: 200,
      contentType: "text/html",
      bytes: Buffer.from(html).subarray(0, FETCH_MAX_BYTES),
    },
    signal,
    deadlineMs,
  );
const LAMP = '<span id="productTitle">Lamp</span>';

describe("readPage", () => {
  it("reads an ordinary page", { timeout: LONG }, async () => {
    expect(await read(LAMP)).toMatchObject({ kind: "read", metadata: { title: "Lamp" } });
  });

  it("reads an ordinary page of maximum size", { timeout: LONG }, async () => {
    expect(await read(hugePage(LAMP), NEVER, LONG)).toMatchObject({ metadata: { title: "Lamp" } });
  });

  it.each(["<div>", "<p>", "<b><table>"])(
    "gives up 2 MiB of %s, and lives",
    { timeout: LONG },
    async (tags) => {
      expect(await read(tagFlood(tags))).toEqual({ kind: "nothing", outcome: "unreadable" });
      expect(await read(LAMP)).toMatchObject({ kind: "read" });
    },
  );

  it("reads or aborts a page with very many Open Graph tags", { timeout: LONG }, async () => {
    expect(await read(tagFlood('<meta property="og:image" content="x">'))).toHaveProperty("kind");
  });

  it("does not block other work", { timeout: LONG }, async () => {
    const given = read(tagFlood("<div>")).then(() => "given up");
    let turns = 0;
    const turning = setInterval(() => turns++, 1);
    const first = await Promise.race([
      given,
      expect.poll(() => turns, { timeout: LONG }).toBeGreaterThan(20),
    ]);
    clearInterval(turning);
    expect(first).not.toBe("given up");
    expect(await given).toBe("given up");
  });

  it("stops when it is aborted", { timeout: LONG }, async () => {
    const stopping = new AbortController();
    const reading = read(tagFlood("<div>"), stopping.signal);
    stopping.abort(new Error("stop"));
    await expect(reading).rejects.toThrow("stop");
    await expect(read(LAMP, stopping.signal)).rejects.toThrow("stop");
  });
});
