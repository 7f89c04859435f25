import { describe, expect, it } from "vitest";
import { readableShortUrl } from "./short-url.tsx";

describe("readableShortUrl", () => {
  it.each([
    ["https://tapthru.example/l/abc2345", "tapthru.example", "/l/abc2345"],
    ["http://localhost:8080/l/abc2345", "localhost:8080", "/l/abc2345"],
    ["https://exactly20characters/l/abc2345", "exactly20characters", "/l/abc2345"],
    ["https://links.example-shop.com/l/abc2345", "links.example-sho...", "/l/abc2345"],
    ["https://links.shop-koeln.example.com/l/abc2345", "links.shop-koeln...", "/l/abc2345"],
  ])("the readable form of %s has no scheme, at most 30 characters and the whole code", (url, host, path) => {
    expect(readableShortUrl(url, 30)).toEqual({ host, path });
    expect(`${host}${path}`.length).toBeLessThanOrEqual(30);
  });

  it("keeps the whole of a slug, and no part of a host without space", () => {
    const path = `/l/${"a".repeat(24)}`;
    expect(readableShortUrl(`https://tapthru.example${path}`, 30)).toEqual({ host: "...", path });
  });
});
