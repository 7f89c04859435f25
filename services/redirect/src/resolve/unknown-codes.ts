import { LRUCache } from "lru-cache";

const REMEMBERED_MS = 10_000;

/** Codes that Postgres did not know a moment ago. */
export class UnknownCodes {
  readonly #until: LRUCache<string, number>;

  constructor(max: number) {
    this.#until = new LRUCache({ max });
  }

  /** @param now of performance.now() */
  has(shortCode: string, now: number): boolean {
    return now < (this.#until.get(shortCode) ?? 0);
  }

  add(shortCode: string, now: number): void {
    this.#until.set(shortCode, now + REMEMBERED_MS);
  }

  forget(shortCode: string): void {
    this.#until.delete(shortCode);
  }
}
