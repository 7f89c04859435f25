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

it("returns a tombstone unchanged", () => {
  const gone: RedirectRecord = { state: "gone", revision: 3, reason: "deleted" };
  expect(linkFrom(gone)).toBe(gone);
});
