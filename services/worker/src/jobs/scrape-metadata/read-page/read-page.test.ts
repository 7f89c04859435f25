import { hugePage, tagFlood } from "@tapthru/amazon-stand-in/page-bytes";
import { FETCH_MAX_BYTES } from "@tapthru/proto/rules/limits";
import { describe, expect, it } from "vitest";
import { readPage } from "./read-page.ts";

const NEVER = new AbortController().signal;

/** Only the CPU time is limited, so that a slow machine fails no test. */
const read = (html: string, signal = NEVER, cpuMs = 5_000) =>
  readPage({ status: 200, contentType: "text/html", bytes: Buffer.from(html).subarray(0, FETCH_MAX_BYTES) }, signal, {
    cpuMs,
    lifetimeMs: 600_000,
  });
const LAMP = '<span id="productTitle">Lamp</span>';

describe("readPage", () => {
  it("reads an ordinary page of maximum size", async () => {
    expect(await read(hugePage(LAMP), NEVER, 60_000)).toMatchObject({ metadata: { title: "Lamp" } });
  });

  it.each(["<div>", "<p>", "<b><table>"])("aborts 2 MiB of %s, and reads the next page", async (tags) => {
    expect(await read(tagFlood(tags))).toEqual({ kind: "nothing", outcome: "unreadable" });
    expect(await read(LAMP)).toMatchObject({ kind: "read" });
  });

  it("stops when it is aborted", async () => {
    const stopping = new AbortController();
    const reading = read(tagFlood("<div>"), stopping.signal);
    stopping.abort(new Error("stop"));
    await expect(reading).rejects.toThrow("stop");
    await expect(read(LAMP, stopping.signal)).rejects.toThrow("stop");
  });
});
