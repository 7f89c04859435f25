import { expect, it } from "vitest";
import { OUTCOMES, type ReadResult } from "../scrape-metadata/source.ts";
import { soldByRead } from "./sold-by-read.ts";

const ASIN = "B0ZZ1Y2X3W";
const METADATA = { title: "A lamp", description: null, imageUrl: null, siteName: null };

const sold = (found: Partial<ReadResult>) =>
  soldByRead({ kind: "read", metadata: METADATA, ...found } as ReadResult, ASIN);

it("a product is sold if the response says that it is this product, in stock or not", () => {
  expect(sold({ asin: ASIN })).toBe(true);
  expect(sold({ asin: ASIN, state: "out-of-stock" })).toBe(true);
});

it("it is not sold if the response is about another product", () => {
  expect(sold({ asin: "B000000001" })).toBe(false);
  expect(sold({ asin: "B000000001", state: "redirected-elsewhere" })).toBe(false);
});

it("it is unknown if the response does not say which product it is", () => {
  expect(sold({})).toBeNull();
  expect(sold({ state: "redirected-elsewhere" })).toBeNull();
});

it("of all failures only a missing page says that it is not sold", () => {
  const outcomes = OUTCOMES.filter((outcome) => outcome !== "gone");
  for (const outcome of outcomes) {
    expect(soldByRead({ kind: "nothing", outcome }, ASIN), outcome).toBeNull();
  }
  expect(soldByRead({ kind: "nothing", outcome: "gone" }, ASIN)).toBe(false);
});
