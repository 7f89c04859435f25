import { Registry } from "prom-client";
import { expect, it } from "vitest";
import { DurationHistogram, registerDurations } from "./durations.ts";

it("exposes observations of all series as one histogram", async () => {
  const registry = new Registry();
  const [one, other] = [new DurationHistogram(), new DurationHistogram()];
  registerDurations(registry, { name: "wait_seconds", help: "How long" }, [one, other]);
  const fast = one.add({ lane: "a" });
  fast.observe(0.0005);
  fast.observe(0.05);
  fast.observe(11);
  other.add({ lane: "b" });
  const lines = (await registry.metrics()).split("\n");
  expect(lines.slice(0, 4)).toEqual([
    "# HELP wait_seconds How long",
    "# TYPE wait_seconds histogram",
    'wait_seconds_bucket{lane="a",le="0.0005"} 1',
    'wait_seconds_bucket{lane="a",le="0.001"} 1',
  ]);
  expect(lines).toContain('wait_seconds_bucket{lane="a",le="0.025"} 1');
  expect(lines).toContain('wait_seconds_bucket{lane="a",le="0.05"} 2');
  expect(lines).toContain('wait_seconds_bucket{lane="a",le="10"} 2');
  expect(lines).toContain('wait_seconds_bucket{lane="a",le="+Inf"} 3');
  expect(lines).toContain('wait_seconds_sum{lane="a"} 11.0505');
  expect(lines).toContain('wait_seconds_count{lane="a"} 3');
  expect(lines).toContain('wait_seconds_count{lane="b"} 0');
});
