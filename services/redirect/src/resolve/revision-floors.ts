/**
 * The newest revision heard of for each code that changed lately: what is older must not be believed,
 * wherever it comes from. It keeps the codes that changed last, at least half of `max`.
 */
export class RevisionFloors {
  // Taking the oldest out of one map, one by one, costs more the more were taken out before.
  #recent = new Map<string, number>();
  #former = new Map<string, number>();
  readonly #maxRecent: number;

  constructor(max: number) {
    this.#maxRecent = max / 2;
  }

  /** 0 for a code of which nothing was heard. */
  of(shortCode: string): number {
    return this.#recent.get(shortCode) ?? this.#former.get(shortCode) ?? 0;
  }

  raise(shortCode: string, revision: number): void {
    this.#recent.set(shortCode, Math.max(revision, this.of(shortCode)));
    if (this.#recent.size < this.#maxRecent) return;
    this.#former = this.#recent;
    this.#recent = new Map();
  }
}
