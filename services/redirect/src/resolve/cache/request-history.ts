import { hashOf } from "../../hashes.ts";

/** Detects whether a code was requested recently. Takes four bytes for each code that it remembers. */
export class RequestHistory {
  /** The hash of the last code with the same place. */
  readonly #hashes: Uint32Array;

  /** @param max number of codes; rounded down to a power of two */
  constructor(max: number) {
    this.#hashes = new Uint32Array(2 ** Math.floor(Math.log2(max)));
  }

  get bytes(): number {
    return this.#hashes.byteLength;
  }

  /** Records the code. Returns whether it was recorded before. */
  isRepeated(shortCode: string): boolean {
    const hash = hashOf(shortCode);
    const place = hash & (this.#hashes.length - 1);
    if (this.#hashes[place] === hash) return true;
    this.#hashes[place] = hash;
    return false;
  }
}
