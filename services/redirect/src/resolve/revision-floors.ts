/**
 * The newest revision heard of for each code that changed lately: what is older must not be believed,
 * wherever it comes from. Of too many the oldest are forgotten.
 */
export class RevisionFloors {
  readonly #floors = new Map<string, number>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  /** 0 for a code of which nothing was heard. */
  of(shortCode: string): number {
    return this.#floors.get(shortCode) ?? 0;
  }

  raise(shortCode: string, revision: number): void {
    if (revision <= this.of(shortCode)) return;
    this.#floors.delete(shortCode);
    this.#floors.set(shortCode, revision);
    if (this.#floors.size <= this.#max) return;
    for (const oldest of this.#floors.keys()) {
      this.#floors.delete(oldest);
      return;
    }
  }
}
