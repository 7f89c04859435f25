import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { decodeBatch, encodeBatch } from "./click-stream.ts";

it.each([0, 1, 1_001])("decodes a batch of %i links as it was encoded", async (size) => {
  const links = Array.from({ length: size }, (_, i) => ({
    shortCode: `lamp${i}`,
    quarter: 1_990_000,
    counts: { p: 1 + (i % 3), "d:ios": 1 },
    visitors: [i],
  }));
  const batch = { id: randomUUID(), links, outcomes: [] };
  const { text, clicks } = await encodeBatch({ ...batch, links: links.values() });
  expect((await decodeBatch(text)).data).toEqual(batch);
  expect(clicks).toBe(links.reduce((sum, { counts }) => sum + counts.p, 0));
});
