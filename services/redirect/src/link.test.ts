import type { RedirectRecord } from "@tapthru/proto/redirect/record";
import { expect, it } from "vitest";
import { linkFrom } from "./link.ts";
import { HOSTILE_VALUES } from "./testing/hostile-values.ts";

function record(webUrl: string) {
  const metadata = { title: null, description: null, imageUrl: null, siteName: null };
  return { state: "live", revision: 1, webUrl, expiresAt: null, ...metadata } as const;
}

it("keeps a store's address unchanged and adds the marketplace", () => {
  const webUrl = "https://www.amazon.co.uk/dp/B000000001?tag=me-21&q='a%20b'";
  expect(linkFrom(record(webUrl))).toEqual({
    ...record(webUrl),
    marketplace: "co.uk",
    routed: null,
  });
});

it("rejects hostile values, and addresses of Amazon that are no page of a store", () => {
  const others = ["", "//www.amazon.com/", "www.amazon.com/dp/B000000001", "https://amzn.to/abc1234"];
  others.push("https://www.amazon.com/gp/redirect.html?location=x", "https://www.amazon.com/%61p/signin");
  others.push("https://www.amazon.com/\r\nSet-Cookie: a=1");
  expect([...HOSTILE_VALUES, ...others].filter((webUrl) => linkFrom(record(webUrl)) !== null)).toEqual([]);
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
