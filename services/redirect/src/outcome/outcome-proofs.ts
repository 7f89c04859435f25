import { createHmac, timingSafeEqual } from "node:crypto";
import { OUTCOME_PROOF_WINDOW_MS } from "@tapthru/proto/rules/limits";

/** Shows that a page of ours was handed out for a code and a row, this window or the one before. */
export interface OutcomeProofs {
  /** @param now Unix milliseconds */
  make(shortCode: string, row: string, now: number): string;
  hold(proof: string, shortCode: string, row: string, now: number): boolean;
}

/** @param key the same on every replica */
export function createOutcomeProofs(key: string): OutcomeProofs {
  const prove = (shortCode: string, row: string, window: number) =>
    createHmac("sha256", key).update(`${shortCode} ${row} ${window}`).digest("base64url");

  return {
    make: (shortCode, row, now) => prove(shortCode, row, windowAt(now)),
    hold(proof, shortCode, row, now) {
      const window = windowAt(now);
      return [window, window - 1].some((each) => isSame(proof, prove(shortCode, row, each)));
    },
  };
}

function windowAt(now: number): number {
  return Math.floor(now / OUTCOME_PROOF_WINDOW_MS);
}

function isSame(one: string, other: string): boolean {
  const [bytes, otherBytes] = [Buffer.from(one), Buffer.from(other)];
  return bytes.length === otherBytes.length && timingSafeEqual(bytes, otherBytes);
}
