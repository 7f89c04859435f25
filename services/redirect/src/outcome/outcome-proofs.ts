import { createHmac, createSecretKey, randomBytes, timingSafeEqual } from "node:crypto";
import { OUTCOME_PROOF_WINDOW_MS } from "@tapthru/proto/rules/limits";

/** Together 32 bytes, so that a proof has the length that Outcome requires. */
const PROCESS_ID_BYTES = 8;
const ID_BYTES = PROCESS_ID_BYTES + 4;
const SIGNATURE_BYTES = 20;
const ID_LENGTH = (ID_BYTES / 3) * 4;

/** As long as a proof, in a page that is rendered once and sent with different proofs. */
export const PROOF_PLACEHOLDER = "_".repeat(43);

/**
 * A proof belongs to one page that was sent: a unique id, and an HMAC of it with code, strategy and time window. It is valid
 * in its window and the next one.
 */
export interface OutcomeProofs {
  /** @param now Unix milliseconds */
  create(shortCode: string, strategy: string, now: number): string;
  verify(proof: string, shortCode: string, strategy: string, now: number): boolean;
}

/** @param key the same for all replicas */
export function createOutcomeProofs(key: string): OutcomeProofs {
  const secret = createSecretKey(key, "utf8");
  const processId = randomBytes(PROCESS_ID_BYTES);
  let pages = 0;

  /** Only unique, because the HMAC protects it: random bytes for each page would take more time. */
  function nextId(): string {
    pages = (pages + 1) >>> 0;
    const id = Buffer.alloc(ID_BYTES);
    processId.copy(id);
    id.writeUInt32BE(pages, PROCESS_ID_BYTES);
    return id.toString("base64url");
  }

  function sign(id: string, shortCode: string, strategy: string, window: number): string {
    const hmac = createHmac("sha256", secret).update(`${id} ${shortCode} ${strategy} ${window}`);
    return id + hmac.digest().subarray(0, SIGNATURE_BYTES).toString("base64url");
  }

  return {
    create(shortCode, strategy, now) {
      return sign(nextId(), shortCode, strategy, windowAt(now));
    },
    verify(proof, shortCode, strategy, now) {
      const id = proof.slice(0, ID_LENGTH);
      const window = windowAt(now);
      return [window, window - 1].some((candidate) =>
        isEqual(proof, sign(id, shortCode, strategy, candidate)),
      );
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
