/**
 * The newest known revision of each recently changed code. Older revisions are stale, no matter where they come from.
 * Keeps the most recent changes, at least half of `max`.
 */
export class RevisionFloor {
  // Two maps, because deleting the oldest keys of one map one by one gets slower with each deletion.
  #recent = new Map<string, number>();
  #previous = new Map<string, number>();
  readonly #maxRecent: number;

  constructor(max: number) {
    this.#maxRecent = max / 2;
  }

  /** 0 for a code without a known change. */
  get(shortCode: string): number {
    return this.#recent.get(shortCode) ?? this.#previous.get(shortCode) ?? 0;
  }

  raise(shortCode: string, revision: number): void {
    this.#recent.set(shortCode, Math.max(revision, this.get(shortCode)));
    if (this.#recent.size < this.#maxRecent) return;
    this.#previous = this.#recent;
    this.#recent = new Map();
  }
}
