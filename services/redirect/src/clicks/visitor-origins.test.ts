import { estimateVisitors, mergeSketches, registerOf } from "@tapthru/proto/clicks/visitor-sketch";
import { expect, it } from "vitest";
import { hashText } from "./visitor-origins.ts";

const seeds = hashText("salt", { first: 1, second: 2 });
const estimate = (texts: readonly string[]) => {
  const registers = texts.map((text) => {
    const { first, second } = hashText(text, seeds);
    return registerOf(first, second);
  });
  return estimateVisitors(mergeSketches([], registers));
};

it.each([
  ["consecutive addresses", (i: number) => `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`],
  ["networks", (i: number) => `${(i >> 8) & 255}.${i & 255}.${i >> 16}.1`],
  ["IPv6 addresses", (i: number) => `2001:db8:${i.toString(16)}::1`],
])("the hash of a visitor is spread evenly for %s", (_name, address) => {
  for (const count of [1_000, 20_000, 60_000]) {
    const found = estimate(Array.from({ length: count }, (_, i) => address(i)));
    expect(Math.abs(found - count) / count).toBeLessThan(0.025);
  }
});

it("the hash of a visitor depends on the salt", () => {
  const other = hashText("another salt", { first: 1, second: 2 });
  expect(hashText("192.0.2.1", other)).not.toEqual(hashText("192.0.2.1", seeds));
});
