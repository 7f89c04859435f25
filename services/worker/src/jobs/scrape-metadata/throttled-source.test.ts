import { describe, expect, it } from "vitest";
import type { PageRef, ReadResult } from "./source.ts";
import { createThrottledSource } from "./throttled-source.ts";

const NEVER = new AbortController().signal;
const READ: ReadResult = {
  kind: "read",
  metadata: { title: "Lamp", description: null, imageUrl: null, siteName: null },
};
const CAPTCHA: ReadResult = { kind: "nothing", outcome: "captcha" };

const page = (marketplace: PageRef["marketplace"], productId = "B0CX23V2ZK"): PageRef => ({
  canonicalUrl: `https://www.amazon.${marketplace}/dp/${productId}`,
  marketplace,
  productId,
});

function throttled(readPage: (page: PageRef) => ReadResult | Promise<ReadResult>, concurrency = 2) {
  const clock = { now: 0 };
  const requested: string[] = [];
  const source = createThrottledSource(
    {
      name: "page",
      freshForMs: 1_000,
      keepForMs: 2_000,
      read: async (page) => {
        requested.push(page.canonicalUrl);
        return readPage(page);
      },
    },
    { concurrency, hostOf: ({ marketplace }) => marketplace, now: () => clock.now },
  );
  return { source, requested, clock };
}

describe("a throttled source", () => {
  it("limits concurrent reads, and reads all pages", async () => {
    const gate = Promise.withResolvers<ReadResult>();
    const { source, requested } = throttled(() => gate.promise);
    const results = Array.from({ length: 5 }, () => source.read(page("de"), NEVER));
    await expect.poll(() => requested.length).toBe(2);
    gate.resolve(READ);
    expect(await Promise.all(results)).toEqual(Array.from({ length: 5 }, () => READ));
    expect(requested).toHaveLength(5);
  });

  it("continues after an error of its source", async () => {
    const { source } = throttled(() => {
      throw new Error("no process");
    }, 1);
    await expect(source.read(page("de"), NEVER)).rejects.toThrow("no process");
    await expect(source.read(page("de"), NEVER)).rejects.toThrow("no process");
  });

  it("pauses requests to a host that refuses, and to no other host", async () => {
    const { source, requested, clock } = throttled(({ marketplace }) => (marketplace === "de" ? CAPTCHA : READ));
    for (let i = 0; i < 5; i++) expect(await source.read(page("de"), NEVER)).toEqual(CAPTCHA);
    expect(await source.read(page("de"), NEVER)).toEqual({ kind: "postponed", retryInMs: 60_000 });
    expect(await source.read(page("fr"), NEVER)).toEqual(READ);
    expect(requested).toHaveLength(6);
    clock.now = 60_000;
    expect(await source.read(page("de"), NEVER)).toEqual(CAPTCHA);
    expect(await source.read(page("de"), NEVER)).toEqual({ kind: "postponed", retryInMs: 120_000 });
  });

  it("requests nothing for callers that aborted while waiting", async () => {
    const gate = Promise.withResolvers<ReadResult>();
    const { source, requested } = throttled(() => gate.promise, 1);
    const stopping = new AbortController();
    const first = source.read(page("de"), NEVER);
    const second = source.read(page("de"), stopping.signal);
    stopping.abort(new Error("stop"));
    gate.resolve(READ);
    await expect(second).rejects.toThrow("stop");
    await first;
    expect(requested).toHaveLength(1);
  });
});
