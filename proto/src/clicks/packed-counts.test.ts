import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_REFERRERS } from "./keys.ts";
import { type PackedCounts, readSeries, UnpackedCounts } from "./packed-counts.ts";

interface Added {
  key: string;
  slot: number;
  count: number;
}

/** Postgres sorts keys by their length, then by their bytes. */
const asJsonb = (packed: PackedCounts): PackedCounts =>
  Object.fromEntries(
    Object.entries(packed).toSorted(([a], [b]) => Buffer.byteLength(a) - Buffer.byteLength(b) || (a < b ? -1 : 1)),
  );

const additions = fc.array(
  fc.record({
    key: fc.constantFrom("p", "v", "d:ios", "c:DE", "r:example.com"),
    slot: fc.integer({ min: 0, max: 95 }),
    count: fc.integer({ min: 1, max: 1_000_000 }),
  }),
);

function pack(added: readonly Added[]): PackedCounts {
  const counts = new UnpackedCounts();
  for (const { key, slot, count } of added) counts.add(key, slot, count);
  return counts.pack();
}

function sums(items: readonly Added[]): Record<string, number> {
  const result: Record<string, number> = {};
  for (const { key, slot, count } of items) result[`${key} ${slot}`] = (result[`${key} ${slot}`] ?? 0) + count;
  return result;
}

function unpack(packed: PackedCounts): Added[] {
  const items: Added[] = [];
  for (const [key, series] of Object.entries(packed))
    readSeries(series, (slot, count) => items.push({ key, slot, count }));
  return items;
}

describe("packed counts", () => {
  it("packed counts are short", () => {
    const added = [37, 40, 40].map((slot) => ({ key: "p", slot, count: 1 }));
    expect(pack(added)).toEqual({ p: "37 40:2" });
  });

  it("packed counts are the same whether they were added at once or one after the other", () => {
    fc.assert(
      fc.property(additions, additions, (first, second) => {
        const counts = new UnpackedCounts();
        counts.addPacked(pack(first));
        counts.addPacked(pack(second));
        expect(sums(unpack(counts.pack()))).toEqual(sums([...first, ...second]));
      }),
    );
  });

  const ofHosts = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ key: `r:host${i}.example`, slot: 0, count: 1 }));

  it("counts hosts beyond the bound as other, and loses none", () => {
    const packed = pack([...ofHosts(200), ...ofHosts(200)]);
    expect(Object.keys(packed)).toHaveLength(MAX_REFERRERS + 1);
    expect(packed["r:host0.example"]).toBe("0:2");
    expect(packed["r:other"]).toBe(`0:${400 - 2 * MAX_REFERRERS}`);
  });

  const ofSources = (count: number, name = "x") =>
    Array.from({ length: count }, (_, i) => ({ key: `g:${name}${i}`, slot: 0, count: 1 }));

  it("counts sources beyond their own bound as other, and loses none", () => {
    const packed = pack([...ofHosts(60), ...ofSources(60), { key: "g:paid:ads", slot: 0, count: 1 }]);
    expect(Object.keys(packed)).toHaveLength(2 * (MAX_REFERRERS + 1) + 1);
    expect(sums(unpack(packed))).toMatchObject({ "g:x39 0": 1, "g:x59 0": 1, "g:paid:ads 0": 1, "g:other 0": 10 });
  });

  it.each([
    ["fifty others, once each", ofSources(50)],
    ["five hundred others, once each", ofSources(500)],
    ["fifty others, twice each", [...ofSources(50), ...ofSources(50)]],
    ["fifty others with long names", ofSources(50, "x".repeat(40))],
  ])("counts a source that is used after %s, whatever comes later", (_others, others) => {
    const used = { key: "g:blog", slot: 3, count: 1 };
    const stored = new UnpackedCounts();
    stored.addPacked(pack(others));
    stored.addPacked({ "g:blog": "3" });
    const again = new UnpackedCounts();
    again.addPacked(asJsonb(stored.pack()));
    for (const each of [used, used, ...ofSources(60, "y")]) again.add(each.key, each.slot, each.count);
    expect(sums(unpack(again.pack()))["g:blog 3"]).toBe(3);
  });

  it("a source is counted by its name while it is used again before nine others are, whatever their names and counts", () => {
    const junk = fc.tuple(fc.string({ minLength: 1, maxLength: 50 }), fc.integer({ min: 1, max: 3 }));
    const between = fc.array(junk, { maxLength: 9 });
    const batches = fc.array(between, { minLength: 5, maxLength: 20 });
    fc.assert(
      fc.property(batches, fc.constantFrom("g:b", "g:newsletter", `g:${"z".repeat(48)}`), (ofBatches, name) => {
        let packed = pack(ofSources(50).flatMap((source) => Array(60).fill(source)));
        const merge = (added: readonly Added[]) => {
          const counts = new UnpackedCounts();
          counts.addPacked(asJsonb(packed));
          for (const { key, slot, count } of added) counts.add(key, slot, count);
          packed = counts.pack();
        };
        for (const others of ofBatches) {
          merge([{ key: name, slot: 40, count: 1 }]);
          for (const [other, count] of others) merge([{ key: `g:${other}#`, slot: 40, count }]);
        }
        const counted = sums(unpack(packed))[`${name} 40`];
        const total = unpack(packed).reduce((sum, { count }) => sum + count, 0);
        const sent = ofBatches.flat().reduce((sum, [, count]) => sum + count, 0) + ofBatches.length + 50 * 60;
        expect([counted, total]).toEqual([ofBatches.length, sent]);
      }),
      { numRuns: 30, endOnFailure: true },
    );
  });

  it("keeps the counted hosts when they are read again, in whichever order", () => {
    const packed = Object.fromEntries(Object.entries(pack(ofHosts(60))).toReversed());
    const counts = new UnpackedCounts();
    counts.addPacked(packed);
    expect(counts.pack()).toEqual(packed);
  });
});
