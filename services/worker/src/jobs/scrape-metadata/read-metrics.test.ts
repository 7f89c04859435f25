import { Registry } from "prom-client";
import { expect, it } from "vitest";
import { countReadOutcomes } from "./read-metrics.ts";
import type { MetadataSource } from "./source.ts";

const NOTHING_KNOWN = { title: null, description: null, imageUrl: null, siteName: null };
const PAGE = { canonicalUrl: "page1", marketplace: "com", productId: "B0ZZ1Y2X3W" } as const;

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
  const counts = (await registry.metrics())
    .split("\n")
    .filter((line) => /^tapthru.* [1-9]/.test(line));
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
  expect(await registry.metrics()).toContain(
    'tapthru_metadata_readings_total{outcome="refused"} 0',
  );
});
