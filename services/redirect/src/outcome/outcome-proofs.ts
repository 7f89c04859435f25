import { hash, randomUUID, timingSafeEqual } from "node:crypto";

const OUTCOME_PROOF_WINDOW_MS = 10 * 60_000;
const ID_LENGTH = 36;
const SEAL_LENGTH = 27;

/** As long as a proof, in a page that is rendered once and sent with different proofs. */
export const PROOF_PLACEHOLDER = "_".repeat(ID_LENGTH + SEAL_LENGTH);

/**
 * A proof belongs to one page that was sent. It has the page's id, and a signature: 162 bits of a SHA-256 of key, id, code, strategy
 * and time window. The other bits would be needed to extend it. It is valid in its window and the next one.
 */
export interface OutcomeProofs {
  /** @param now Unix milliseconds */
  create(shortCode: string, strategy: string, now: number): string;
  verify(proof: string, shortCode: string, strategy: string, now: number): boolean;
}

/** The id of the page, which may report once. */
export function pageIdOf(proof: string): string {
  return proof.slice(0, ID_LENGTH);
}

/** @param key the same for all replicas */
export function createOutcomeProofs(key: string): OutcomeProofs {
  function proofOf(id: string, shortCode: string, strategy: string, window: number): string {
    const text = `${key} ${id} ${shortCode} ${strategy} ${window}`;
    return id + hash("sha256", text, "base64url").slice(0, SEAL_LENGTH);
  }

  return {
    create: (shortCode, strategy, now) => proofOf(randomUUID(), shortCode, strategy, windowAt(now)),
    verify(proof, shortCode, strategy, now) {
      const window = windowAt(now);
      return [window, window - 1].some((each) => isEqual(proof, proofOf(pageIdOf(proof), shortCode, strategy, each)));
    },
  };
}

function windowAt(now: number): number {
  return Math.floor(now / OUTCOME_PROOF_WINDOW_MS);
}

function isEqual(a: string, b: string): boolean {
  const [aBytes, bBytes] = [Buffer.from(a), Buffer.from(b)];
  return aBytes.length === bBytes.length && timingSafeEqual(aBytes, bBytes);
}
