import { SafeFetchError } from "@tapthru/core/platform/safe-fetch/errors";
import type { SafeFetchRequest } from "@tapthru/core/platform/safe-fetch/safe-fetch";
import { Registry } from "prom-client";
import { expect, it } from "vitest";
import { chooseMetadataSource, countReadOutcomes } from "./choose-source.ts";
import type { MetadataSource, PageRef } from "./source.ts";

const PAGE: PageRef = {
  canonicalUrl: "https://www.amazon.de/dp/B08N5WRWNW",
  marketplace: "de",
  productId: "B08N5WRWNW",
};
const CREDENTIALS = {
  clientId: "id",
  clientSecret: "secret",
  version: "3.2",
  partnerTags: { de: "me-21" },
} as const;

/** The purposes of the requests that a source sends to read a page. */
async function purposes(choice: Omit<Parameters<typeof chooseMetadataSource>[0], "safeFetch">) {
  const requests: SafeFetchRequest[] = [];
  const source = chooseMetadataSource({
    ...choice,
    safeFetch: async (request) => {
      requests.push(request);
      throw new SafeFetchError("unreachable");
    },
  });
  await source?.read(PAGE, new AbortController().signal);
  return source && requests.map(({ purpose }) => purpose);
}

it("reads pages without credentials", async () => {
  expect(await purposes({ credentials: null, fetchesPages: true })).toEqual(["store"]);
});

it.each([true, false])("uses only the API with credentials", async (fetchesPages) => {
  expect(await purposes({ credentials: CREDENTIALS, fetchesPages })).toEqual(["creators-api"]);
});

it("has no source if pages are not fetched", async () => {
  expect(await purposes({ credentials: null, fetchesPages: false })).toBeNull();
});

const NOTHING_KNOWN = { title: null, description: null, imageUrl: null, siteName: null };

it("counts the results and returns them", async () => {
  const results: Awaited<ReturnType<MetadataSource["read"]>>[] = [
    { kind: "read", metadata: NOTHING_KNOWN },
    { kind: "nothing", outcome: "captcha" },
    { kind: "nothing", outcome: "captcha" },
    { kind: "postponed", retryInMs: 1 },
  ];
  const source: MetadataSource = {
    name: "page",
    freshForMs: 1,
    keepForMs: null,
    read: async () => results.shift() ?? { kind: "nothing", outcome: "error-page" },
  };
  const registry = new Registry();
  const counted = countReadOutcomes(source, registry);
  const expected = [...results];
  for (const result of expected) {
    expect(await counted.read(PAGE, new AbortController().signal)).toBe(result);
  }
  const counts = (await registry.metrics()).split("\n").filter((line) => /^tapthru.* [1-9]/.test(line));
  expect(counts).toEqual([
    'tapthru_metadata_readings_total{outcome="read"} 1',
    'tapthru_metadata_readings_total{outcome="postponed"} 1',
    'tapthru_metadata_readings_total{outcome="captcha"} 2',
  ]);
});

it("shows every outcome as 0 before it has happened", async () => {
  const registry = new Registry();
  const read = async () => ({ kind: "postponed", retryInMs: 1 }) as const;
  countReadOutcomes({ name: "page", freshForMs: 1, keepForMs: null, read }, registry);
  expect(await registry.metrics()).toContain('tapthru_metadata_readings_total{outcome="refused"} 0');
});
