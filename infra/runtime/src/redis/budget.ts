import { withDeadline } from "../deadline.ts";

/**
 * The time that one request may wait for Redis in total. Time spent elsewhere, such as in Postgres, does not count.
 */
export class RedisBudget {
  #leftMs: number;

  constructor(ms: number) {
    this.#leftMs = ms;
  }

  /** Timers have a resolution of one millisecond. */
  get isSpent(): boolean {
    return this.#leftMs < 1;
  }

  /** Settles like `work`, or rejects with the result of `late` when the budget is used up. */
  async spend<T>(work: Promise<T>, late: () => Error): Promise<T> {
    const since = performance.now();
    try {
      return await withDeadline(work, this.#leftMs, late);
    } finally {
      this.#leftMs -= performance.now() - since;
    }
  }
}
