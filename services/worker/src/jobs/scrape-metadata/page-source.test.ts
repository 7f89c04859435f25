import { describe, expect, it } from "vitest";
import { NEVER } from "../../testing/test-database.ts";
import { productPage as product, useStandIn } from "../../testing/test-source.ts";
import { createPageSource } from "./page-source.ts";
import type { PageRef } from "./source.ts";

const USER_AGENT = "Tapthru-test/1.0 (+https://t.example; hello@t.example)";

const { requests, requested, fetchWithin } = await useStandIn();

const read = (page: PageRef, { signal = NEVER, deadlineMs = 60_000 } = {}) =>
  createPageSource(fetchWithin(deadlineMs, USER_AGENT)).read(page, signal);

describe("a page", () => {
  it("requests a page by its canonical address, with the product's User-Agent", async () => {
    expect(await read(product("B0LANGUAGE", "co.jp"))).toEqual({
      kind: "read",
      metadata: {
        title: "デスクライト 調光式【2026年版】",
        description: null,
        imageUrl: "https://m.media-amazon.com/images/I/71Lamp._AC_SL1500_.jpg",
        siteName: null,
      },
    });
    expect(requested()).toEqual(["www.amazon.co.jp/dp/B0LANGUAGE"]);
    expect(requests[0]?.headers["user-agent"]).toBe(USER_AGENT);
  });

  it("reads a storefront too", async () => {
    const page = { ...product("tapthru-kitchen"), canonicalUrl: "https://www.amazon.com/shop/tapthru-kitchen" };
    expect(await read(page)).toMatchObject({
      metadata: { title: "Stand-in storefront tapthru-kitchen", description: "Recommended products." },
    });
  });
});

describe("a redirect", () => {
  it("follows a redirect within the store, over several hops", async () => {
    expect(await read(product("B0MOVEDTWO", "de"))).toMatchObject({ kind: "read" });
    expect(requested()).toEqual([
      "www.amazon.de/dp/B0MOVEDTWO",
      "amazon.de/dp/B0MOVEDONE",
      "amazon.de/dp/B0DESKTOP1?th=1",
    ]);
  });

  it("follows a redirect to http by https", async () => {
    expect(await read(product("B0INSECURE"))).toMatchObject({ kind: "read" });
  });

  it.each(["B0OUTOFTWN", "B0OTHERSTR"])("does not follow a redirect out of the store: %s", async (asin) => {
    expect(await read(product(asin))).toEqual({ kind: "nothing", outcome: "leads-elsewhere" });
    expect(requested()).toHaveLength(1);
  });

  it("reads a redirect to another product as this one, and says so", async () => {
    expect(await read(product("B0HMOVE001"))).toMatchObject({ state: "redirected-elsewhere" });
    expect(await read(product("B0DESKTOP1"))).not.toHaveProperty("state");
  });

  it("ends a redirect loop after five requests", async () => {
    expect(await read(product("B0LOOPHERE"))).toEqual({ kind: "nothing", outcome: "unreadable" });
    expect(requested()).toHaveLength(5);
  });
});

describe("a hostile page", () => {
  it.each([
    ["B0HANGS001", "too-slow"],
    ["B0DRIPHEAD", "too-slow"],
    ["B0DRIPBODY", "unreadable"],
    ["B0ENDLESSH", "unreadable"],
    ["B0BREAKOFF", "unreachable"],
    ["B0NOHTTP01", "unreadable"],
    ["B0NESTEDIV", "unreadable"],
    ["B0GZIPBOMB", "unreadable"],
    ["B0ENDLESS1", "unreadable"],
  ])("yields nothing: %s is %s", async (asin, outcome) => {
    // Of the last one the headers arrive, also on a slow machine.
    const deadlineMs = /HANGS|DRIPHEAD/.test(asin) ? 1_000 : /DRIPBODY/.test(asin) ? 8_000 : 60_000;
    expect(await read(product(asin), { deadlineMs })).toEqual({ kind: "nothing", outcome });
  });

  it.each([
    ["B0HUGEPAGE", "Desk lamp"],
    ["B0PARAGRPH", "Lamp"],
    ["B0BREAKPAG", "A page that breaks off"],
  ])("reads a hostile page as far as it was received: %s", async (asin, title) => {
    expect(await read(product(asin))).toMatchObject({ metadata: { title } });
  });
});

describe("a source", () => {
  it("requests stores only", async () => {
    const page = { ...product("B0DESKTOP1"), canonicalUrl: "https://evil.example/dp/B0DESKTOP1" };
    expect(await read(page)).toEqual({ kind: "nothing", outcome: "unsupported", lasting: true });
    expect(requested()).toEqual([]);
  });

  it("stops when it is aborted", async () => {
    const stopping = new AbortController();
    const reading = read(product("B0HANGS001"), { signal: stopping.signal });
    await expect.poll(requested).toHaveLength(1);
    stopping.abort(new Error("stop"));
    await expect(reading).rejects.toThrow("stop");
  });
});
