import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { addSketch, estimateVisitors, mergeSketches, newRegisters, registerOf } from "./visitor-sketch.ts";

function registers(name: string, count: number): number[] {
  return Array.from({ length: count }, (_, i) => {
    const hash = createHash("sha256").update(`${name} ${i}`).digest();
    return registerOf(hash.readInt32BE(0), hash.readInt32BE(4));
  });
}

const sketchOf = (name: string, count: number) => mergeSketches([], registers(name, count));

/** In percent, over several sets of visitors. */
function meanError(count: number): number {
  const errors = Array.from({ length: 5 }, (_, run) => {
    const estimate = estimateVisitors(sketchOf(`run ${run}`, count));
    return (Math.abs(estimate - count) / count) * 100;
  });
  return errors.reduce((sum, error) => sum + error, 0) / errors.length;
}

describe("a sketch", () => {
  it.each([0, 1, 2, 10])("is exact for %i visitors", (count) => {
    expect(estimateVisitors(sketchOf("exact", count))).toBe(count);
  });

  it.each([100, 1_000, 20_000, 50_000])("is within the error bound for %i visitors", (count) => {
    expect(meanError(count)).toBeLessThan(1);
  });

  it("counts a visitor once", () => {
    const once = sketchOf("a", 500);
    expect(mergeSketches([once, once], registers("a", 500))).toEqual(once);
  });

  it("is the same in any order of visitors, even when it becomes dense", () => {
    const [first, second] = [sketchOf("a", 6_000), sketchOf("b", 6_000)];
    expect(mergeSketches([first, second])).toEqual(mergeSketches([second, first]));
    const sum = newRegisters();
    for (const sketch of [first, second]) addSketch(sum, sketch);
    expect(estimateVisitors(sum)).toBe(estimateVisitors(mergeSketches([first], registers("b", 6_000))));
  });

  it("has three bytes for each of few visitors and never more than 16 KiB", () => {
    expect(sketchOf("few", 3)).toHaveLength(9);
    expect(sketchOf("many", 20_000)).toHaveLength(16_384);
  });
});
