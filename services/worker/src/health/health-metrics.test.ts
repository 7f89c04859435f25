import { createMetrics } from "@tapthru/runtime/metrics/metrics";
import { createTestLogger } from "@tapthru/runtime/testing/test-logger";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createHealthMetrics } from "./health-metrics.ts";

beforeEach(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => vi.useRealTimers());

it("counts links once in five minutes, and a scrape has the result of a count that ended after the one before", async () => {
  const counted = Promise.withResolvers<object[]>();
  const any = vi.fn().mockReturnValue(counted.promise);
  const registry = createMetrics();
  createHealthMetrics(registry, { db: { any }, logger: createTestLogger().logger });

  const scrape = registry.metrics();
  await vi.advanceTimersByTimeAsync(1_000);
  await scrape;
  await registry.metrics();
  expect(any).toHaveBeenCalledTimes(1);

  counted.resolve([{ state: "ok", count: 7, oldestSeconds: 60 }]);
  await counted.promise;
  const text = await registry.metrics();
  expect(text).toContain('tapthru_links_by_health{state="ok"} 7');
  expect(text).toContain("tapthru_link_check_oldest_seconds 60");
});
