import type { RedirectRecord } from "@tapthru/proto/redirect/record";
import { describe, expect, it } from "vitest";
import { linkFrom } from "./link.ts";

function record(webUrl: string) {
  const metadata = { title: null, description: null, imageUrl: null, siteName: null };
  return { state: "live", revision: 1, webUrl, expiresAt: null, ...metadata } as const;
}

describe("linkFrom", () => {
  it("keeps a store's address unchanged and adds the marketplace", () => {
    const webUrl = "https://www.amazon.co.uk/dp/B000000001?tag=me-21&q='a%20b'";
    expect(linkFrom(record(webUrl))).toEqual({
      ...record(webUrl),
      marketplace: "co.uk",
      routed: null,
    });
  });

  it.each([
    ...["https://evil.example/", "https://amazon.com.evil.example/dp/B000000001"],
    ...["https://www.amazon.com@evil.example/", "https://evil.example/?u=amazon.com"],
    ...["javascript:alert(1)//amazon.com", "//www.amazon.com/", "www.amazon.com/dp/B000000001"],
    ...["https://www.amazon.com\\@evil.example/", "https://www.amazon.com/\r\nSet-Cookie: a=1"],
    ...["https://www.amazon.com/gp/redirect.html?location=x", "https://www.amazon.com/%61p/signin"],
    ...["https://amzn.to/abc1234", "https://www.amazon.com:8443/", "https://aws.amazon.com/", ""],
  ])("rejects %j", (webUrl) => {
    expect(linkFrom(record(webUrl))).toBeNull();
  });

  it("gives the fallback its channel's tag, and takes none that is not Amazon's", () => {
    const fallbackOf = (webUrl: string, tag: string | null) => {
      const fallback = { webUrl, tag, isProductGone: true };
      const link = linkFrom({ ...record("https://www.amazon.de/dp/B000000001"), fallback });
      return link?.state === "live" ? link.fallbackPage : link;
    };
    const page = "https://www.amazon.fr/dp/B000000001";
    const expected = { webUrl: `${page}?tag=me-21`, marketplace: "fr", isProductGone: true };
    expect(fallbackOf(`${page}?tag=old-21`, "me-21")).toEqual(expected);
    expect(fallbackOf(`${page}?tag=me-21`, null)).toEqual(expected);
    expect(fallbackOf("https://evil.example/", null)).toBeUndefined();
    expect(fallbackOf("https://amzn.to/abc1234", "me-21")).toBeUndefined();
  });

  it("returns a tombstone unchanged", () => {
    const gone: RedirectRecord = { state: "gone", revision: 3, reason: "deleted" };
    expect(linkFrom(gone)).toBe(gone);
  });
});
