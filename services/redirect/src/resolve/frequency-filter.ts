/** Tells the second time something is seen from the first; it remembers some thousands of the last. */
export class FrequencyFilter {
  readonly #max: number;
  #recent = new Set<string>();
  #former = new Set<string>();

  constructor(max: number) {
    this.#max = max / 2;
  }

  isSecondTime(key: string): boolean {
    if (this.#recent.has(key) || this.#former.has(key)) return true;
    this.#recent.add(key);
    if (this.#recent.size >= this.#max) {
      this.#former = this.#recent;
      this.#recent = new Set();
    }
    return false;
  }
}
