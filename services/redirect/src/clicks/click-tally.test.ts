import type { LinkClicks } from "@tapthru/proto/clicks/batch";
import fc from "fast-check";
import { beforeEach, expect, it } from "vitest";
import { ClickTally } from "./click-tally.ts";

const QUARTER_MS = 900_000;
const NOON = Date.UTC(2026, 10, 22, 12);

let tally: ClickTally;
beforeEach(() => {
  tally = new ClickTally();
});

const taken = () => tally.take().flatMap(({ links }) => [...links]);

it("returns only new visits after the earlier ones were read", () => {
  for (let round = 0; round < 3; round++) {
    for (let link = 0; link <= 1_000; link++) tally.add(`lamp-${round}-${link}`, ["p"], link, NOON);
    const links = taken();
    expect(links).toHaveLength(1_001);
    expect(links).toContainEqual(expect.objectContaining({ shortCode: `lamp-${round}-1000`, visitors: [1_000] }));
  }
});

interface Click {
  shortCode: string;
  keys: string[];
  visitor: number | null;
  quarter: number;
}

const click: fc.Arbitrary<Click> = fc.record({
  shortCode: fc.constantFrom("lamp", "book", "chair", "__proto__"),
  keys: fc.subarray(["p", "d:ios", "d:android", "a:instagram", "o:page"], { minLength: 1 }),
  visitor: fc.option(fc.nat(5)),
  quarter: fc.nat(3),
});

it("adds up as one would visit by visit, until it is taken", () => {
  fc.assert(
    fc.property(fc.array(fc.array(click, { maxLength: 400 }), { maxLength: 3 }), (batches) => {
      for (const batch of batches) {
        const inOrder = batch.toSorted((a, b) => a.quarter - b.quarter);
        for (const { shortCode, keys, visitor, quarter } of inOrder)
          tally.add(shortCode, keys, visitor, NOON + quarter * QUARTER_MS);
        expect(inAnyOrder(taken())).toEqual(inAnyOrder(addUp(inOrder)));
      }
    }),
  );
});

function addUp(clicks: readonly Click[]): LinkClicks[] {
  const links = new Map<string, LinkClicks>();
  for (const { shortCode, keys, visitor, quarter } of clicks) {
    const name = `${quarter} ${shortCode}`;
    const link = links.get(name) ?? {
      shortCode,
      quarter: NOON / QUARTER_MS + quarter,
      counts: {},
      visitors: [],
    };
    links.set(name, link);
    for (const key of keys) link.counts[key] = (link.counts[key] ?? 0) + 1;
    if (visitor !== null && !link.visitors.includes(visitor)) link.visitors.push(visitor);
  }
  return [...links.values()];
}

const inAnyOrder = (links: readonly LinkClicks[]) =>
  links
    .map((link) => ({ ...link, visitors: link.visitors.toSorted((a, b) => a - b) }))
    .sort((a, b) => a.quarter - b.quarter || (a.shortCode < b.shortCode ? -1 : 1));

it("divides links among the streams, each link always to the same", () => {
  const streamsOf = () => {
    for (let link = 0; link < 1_000; link++) tally.add(`lamp-${link}`, ["p"], null, NOON);
    return tally.take().map(({ links }) => [...links].map(({ shortCode }) => shortCode));
  };
  const streams = streamsOf();
  for (const codes of streams) expect(codes.length).toBeGreaterThan(150);
  expect(streamsOf()).toEqual(streams);
});
