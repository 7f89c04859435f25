import { createHmac, timingSafeEqual } from "node:crypto";
import { OUTCOME_PROOF_WINDOW_MS } from "@tapthru/proto/rules/limits";

/** A proof is an HMAC of code, strategy and time window. It is valid in its window and the next one. */
export interface OutcomeProofs {
  /** @param now Unix milliseconds */
  create(shortCode: string, strategy: string, now: number): string;
  verify(proof: string, shortCode: string, strategy: string, now: number): boolean;
}

/** @param key the same for all replicas */
export function createOutcomeProofs(key: string): OutcomeProofs {
  const sign = (shortCode: string, strategy: string, window: number) =>
    createHmac("sha256", key).update(`${shortCode} ${strategy} ${window}`).digest("base64url");

  return {
    create: (shortCode, strategy, now) => sign(shortCode, strategy, proofWindow(now)),
    verify(proof, shortCode, strategy, now) {
      const window = proofWindow(now);
      return [window, window - 1].some((candidate) =>
        isEqual(proof, sign(shortCode, strategy, candidate)),
      );
    },
  };
}

/** The number of the time window. A proof is the same throughout its window. */
export function proofWindow(now: number): number {
  return Math.floor(now / OUTCOME_PROOF_WINDOW_MS);
}

function isEqual(a: string, b: string): boolean {
  const [aBytes, bBytes] = [Buffer.from(a), Buffer.from(b)];
  return aBytes.length === bBytes.length && timingSafeEqual(aBytes, bBytes);
}
