import { startAmazonStandIn } from "@tapthru/amazon-stand-in/stand-in";
import { standInClient } from "@tapthru/core/platform/safe-fetch/client";
import { createGuardedFetch } from "@tapthru/core/platform/safe-fetch/safe-fetch";
import { afterAll, beforeEach } from "vitest";
import { createPageSource } from "../jobs/scrape-metadata/page-source.ts";
import type { MetadataSource, PageRef, ReadResult } from "../jobs/scrape-metadata/source.ts";

export const CAPTCHA: ReadResult = { kind: "nothing", outcome: "captcha" };
export const NOTHING_KNOWN = { title: null, description: null, imageUrl: null, siteName: null };
export const LAMP_READ: ReadResult = { kind: "read", metadata: { ...NOTHING_KNOWN, title: "Lamp" } };

export const testSource = (read: MetadataSource["read"] = async () => CAPTCHA): MetadataSource => ({
  name: "page",
  freshForMs: 7 * 86_400_000,
  keepForMs: null,
  read,
});

export function productPage(productId: string, marketplace: PageRef["marketplace"] = "com"): PageRef {
  return { canonicalUrl: `https://www.amazon.${marketplace}/dp/${productId}`, marketplace, productId };
}

export async function useStandIn() {
  const { requests, url, stop } = await startAmazonStandIn();
  afterAll(() => stop());
  beforeEach(() => {
    requests.length = 0;
  });
  const fetchWithin = (deadlineMs: number, userAgent = "Tapthru-test/1.0", server = url) =>
    createGuardedFetch(standInClient(server), userAgent, deadlineMs);
  return {
    url,
    requests,
    requested: () => requests.map(({ host, url }) => host + url),
    fetchWithin,
    source: createPageSource(fetchWithin(300_000)),
  };
}
