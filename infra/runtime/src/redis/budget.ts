import { withDeadline } from "../deadline.ts";

/**
 * The time one request may wait for Redis, over all the work it sends there. Time spent elsewhere,
 * such as in Postgres, does not count.
 */
export class RedisBudget {
  #leftMs: number;

  constructor(ms: number) {
    this.#leftMs = ms;
  }

  /** Timers count whole milliseconds. */
  get isSpent(): boolean {
    return this.#leftMs < 1;
  }

  /** Settles like `work`, or rejects with what `late` makes when the budget runs out before. */
  async spend<T>(work: Promise<T>, late: () => Error): Promise<T> {
    const since = performance.now();
    try {
      return await withDeadline(work, this.#leftMs, late);
    } finally {
      this.#leftMs -= performance.now() - since;
    }
  }
}
