import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";
import { OUTCOME_PROOF_WINDOW_MS } from "@tapthru/proto/rules/limits";
import { LRUCache } from "lru-cache";

const ALGORITHM = "aes-128-ecb";
const BLOCK_BYTES = 16;
const ID_LENGTH = 2 * BLOCK_BYTES;
const SEAL_BYTES = 8;
const BATCH = 256;
const MAX_SEALS = 2_000;

/** As long as a proof, in a page that is rendered once and sent with different proofs. */
export const PROOF_PLACEHOLDER = "_".repeat(43);

/**
 * A proof belongs to one page that was sent. It has the page's id, and a seal: an HMAC of code, strategy and time window, which
 * all pages of a link in the window share. It is valid in its window and the next one.
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
  const secret = createSecretKey(key, "utf8");
  const processId = randomBytes(4).readUInt32BE();
  const seals = new LRUCache<string, string>({ max: MAX_SEALS });
  let pages = 0;
  let windowOfBatch = -1;
  let batch = "";
  let usedOfBatch = 0;

  const sign = (text: string) => createHmac("sha256", secret).update(text).digest();
  const keyOf = (window: number) => sign(`ids ${window}`).subarray(0, BLOCK_BYTES);
  const sealOf = (shortCode: string, strategy: string, window: number) =>
    sign(`${shortCode} ${strategy} ${window}`).subarray(0, SEAL_BYTES).toString("base64url");

  /**
   * An id is an encrypted block: the number of the process, that of the page, and zeros, by which nobody without the key can make
   * one. Many are made at once, because an HMAC for each page took a sixth of the page's time.
   */
  function nextId(window: number): string {
    if (windowOfBatch !== window) {
      windowOfBatch = window;
      usedOfBatch = batch.length;
      seals.clear();
    }
    if (usedOfBatch === batch.length) {
      const blocks = Buffer.alloc(BATCH * BLOCK_BYTES);
      for (let at = 0; at < blocks.length; at += BLOCK_BYTES) {
        blocks.writeUInt32BE(processId, at);
        blocks.writeUInt32BE(pages, at + 4);
        pages = (pages + 1) >>> 0;
      }
      const cipher = createCipheriv(ALGORITHM, keyOf(window), null).setAutoPadding(false);
      batch = cipher.update(blocks).toString("hex");
      usedOfBatch = 0;
    }
    usedOfBatch += ID_LENGTH;
    return batch.slice(usedOfBatch - ID_LENGTH, usedOfBatch);
  }

  function isId(id: string, window: number): boolean {
    const block = Buffer.from(id, "hex");
    if (block.length !== BLOCK_BYTES || block.toString("hex") !== id) return false;
    const decipher = createDecipheriv(ALGORITHM, keyOf(window), null).setAutoPadding(false);
    return decipher.update(block).readBigUInt64BE(8) === 0n;
  }

  return {
    create(shortCode, strategy, now) {
      const window = windowAt(now);
      const id = nextId(window);
      const name = `${shortCode} ${strategy}`;
      const known = seals.get(name);
      if (known !== undefined) return id + known;
      const seal = sealOf(shortCode, strategy, window);
      seals.set(name, seal);
      return id + seal;
    },
    verify(proof, shortCode, strategy, now) {
      const id = pageIdOf(proof);
      const window = windowAt(now);
      return [window, window - 1].some(
        (candidate) => isEqual(proof, id + sealOf(shortCode, strategy, candidate)) && isId(id, candidate),
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
