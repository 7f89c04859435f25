import { describe, expect, it } from "vitest";
import { buildDeepLink, redirectTarget } from "./redirect-target.ts";

const read = (address: string) => redirectTarget(new URL(address, "https://go.example").searchParams);

describe("redirectTarget", () => {
  it("leads to the original address of a deep link, byte for byte", () => {
    const webUrl = "https://www.amazon.de/-/en/Lampe/dp/B0ZZ1Y2X3W/ref=x?tag=me-21&q='a%20b'&u=a+b";
    expect(read(buildDeepLink("https://go.example", "B0ZZ1Y2X3W", webUrl))).toEqual({
      productId: "B0ZZ1Y2X3W",
      webUrl,
      marketplace: "de",
    });
  });

  it("leads to the product at amazon.com for an ASIN without an address", () => {
    expect(read("/redirect?product_id=B0ZZ1Y2X3W")?.webUrl).toBe("https://www.amazon.com/dp/B0ZZ1Y2X3W");
  });

  it.each([
    "/redirect",
    "/redirect?product_id=",
    "/redirect?product_id=jane-doe",
    "/redirect?product_id=%22%3E&original_url=https://www.amazon.de/dp/B0ZZ1Y2X3W",
    "/redirect?original_url=https://www.amazon.de/dp/B0ZZ1Y2X3W",
    "/redirect?product_id=B0ZZ1Y2X3W&original_url=",
    "/redirect?product_id=B0ZZ1Y2X3W&original_url=https://amazon.com.evil.example/dp/B0ZZ1Y2X3W",
    "/redirect?product_id=B0ZZ1Y2X3W&original_url=javascript:alert(1)//amazon.com",
    "/redirect?product_id=B0ZZ1Y2X3W&original_url=https://amzn.to/3TapTru",
  ])("is null for %s", (address) => {
    expect(read(address)).toBeNull();
  });
});
