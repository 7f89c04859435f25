import { describe, expect, it } from "vitest";
import { createOutcomeProofs } from "./outcome-proofs.ts";

const proofs = createOutcomeProofs("k".repeat(32));
const MINUTE_MS = 60_000;
const START = 10 * MINUTE_MS * 3_000_000;
const ROW = "2026-11-20/browser-ios";
const proof = proofs.make("abc2345", ROW, START);

describe("a proof", () => {
  it.each([0, 10 * MINUTE_MS, 20 * MINUTE_MS - 1])("holds %d ms later", (laterMs) => {
    expect(proofs.hold(proof, "abc2345", ROW, START + laterMs)).toBe(true);
  });

  it.each([20 * MINUTE_MS, -1])("holds no longer, or not yet, %d ms later", (laterMs) => {
    expect(proofs.hold(proof, "abc2345", ROW, START + laterMs)).toBe(false);
  });

  it("holds for its code, its row and its key alone", () => {
    expect(proofs.hold(proof, "abc2346", ROW, START)).toBe(false);
    expect(proofs.hold(proof, "abc2345", "2026-11-20/x-ios", START)).toBe(false);
    expect(proofs.hold("", "abc2345", ROW, START)).toBe(false);
    const others = createOutcomeProofs("o".repeat(32));
    expect(others.hold(proof, "abc2345", ROW, START)).toBe(false);
  });
});
