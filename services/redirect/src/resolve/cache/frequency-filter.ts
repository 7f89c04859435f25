/** Detects whether a key is among the most recent ones. */
export class FrequencyFilter {
  readonly #maxRecent: number;
  #recent = new Set<string>();
  #previous = new Set<string>();

  /** @param max keys to remember; at least half of them are kept */
  constructor(max: number) {
    this.#maxRecent = max / 2;
  }

  /** Records the key. Returns whether it was recorded before. */
  isRepeated(key: string): boolean {
    if (this.#recent.has(key) || this.#previous.has(key)) return true;
    this.#recent.add(key);
    if (this.#recent.size >= this.#maxRecent) {
      this.#previous = this.#recent;
      this.#recent = new Set();
    }
    return false;
  }
}
