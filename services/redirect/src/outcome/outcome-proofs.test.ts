import { expect, it } from "vitest";
import { createOutcomeProofs, PROOF_PLACEHOLDER, pageIdOf } from "./outcome-proofs.ts";

const proofs = createOutcomeProofs("k".repeat(32));
const MINUTE_MS = 60_000;
const START = 10 * MINUTE_MS * 3_000_000;
const STRATEGY = "2026-11-20/browser-ios";
const proof = proofs.create("abc2345", STRATEGY, START);

it.each([0, 10 * MINUTE_MS, 20 * MINUTE_MS - 1])("verifies a proof %d ms later", (laterMs) => {
  expect(proofs.verify(proof, "abc2345", STRATEGY, START + laterMs)).toBe(true);
});

it.each([20 * MINUTE_MS, -1])("rejects an expired or future proof %d ms later", (laterMs) => {
  expect(proofs.verify(proof, "abc2345", STRATEGY, START + laterMs)).toBe(false);
});

it("proofs are different for each page, of the same length as the placeholder", () => {
  const other = proofs.create("abc2345", STRATEGY, START);
  expect(other).not.toBe(proof);
  expect([proof.length, other.length]).toEqual([PROOF_PLACEHOLDER.length, 63]);
  expect(proofs.verify(other.slice(0, 16) + proof.slice(16), "abc2345", STRATEGY, START)).toBe(false);
});

it("proofs are valid whichever of many pages has them, and of two processes", () => {
  const other = createOutcomeProofs("k".repeat(32));
  const created = Array.from({ length: 600 }, (_, page) =>
    (page % 2 ? proofs : other).create("abc2345", STRATEGY, START),
  );
  expect(new Set(created.map(pageIdOf)).size).toBe(600);
  for (const each of created) expect(proofs.verify(each, "abc2345", STRATEGY, START)).toBe(true);
});

it("rejects ids that no page has", () => {
  for (const id of ["0".repeat(36), proof.slice(0, 36).toUpperCase(), `${proof.slice(0, 35)}x`])
    expect(proofs.verify(id + proof.slice(36), "abc2345", STRATEGY, START)).toBe(false);
});

it("rejects a proof for another code, strategy or key", () => {
  expect(proofs.verify(proof, "abc2346", STRATEGY, START)).toBe(false);
  expect(proofs.verify(proof, "abc2345", "2026-11-20/x-ios", START)).toBe(false);
  expect(proofs.verify("", "abc2345", STRATEGY, START)).toBe(false);
  const otherKey = createOutcomeProofs("o".repeat(32));
  expect(otherKey.verify(proof, "abc2345", STRATEGY, START)).toBe(false);
});
