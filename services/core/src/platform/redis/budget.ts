/** Enough that a single pause of the process uses little of the budget. */
const STEPS = 5;

const SPENT = Symbol("spent");

/**
 * The time that one request may wait for Redis in total. Concurrent waits count once. Time spent elsewhere, such as in
 * Postgres, does not count, nor does time in which the process does not run: the budget is counted in steps, and a step
 * that takes longer counts as one.
 */
export class RedisBudget {
  readonly #stepMs: number;
  #leftMs: number;
  #waits = 0;
  #stepStart = 0;
  #timer: NodeJS.Timeout | undefined;
  readonly #spent = Promise.withResolvers<typeof SPENT>();

  constructor(ms: number) {
    this.#leftMs = ms;
    this.#stepMs = ms / STEPS;
  }

  /** Timers have a resolution of one millisecond. */
  get isSpent(): boolean {
    return this.#leftMs < 1;
  }

  /** Settles like `work`, or rejects with the result of `late` when the budget is used up. */
  async spend<T>(work: Promise<T>, late: () => Error): Promise<T> {
    if (this.#waits++ === 0) this.#startStep();
    try {
      const result = await Promise.race([work, this.#spent.promise]);
      if (result === SPENT) throw late();
      return result;
    } finally {
      if (--this.#waits === 0) this.#endStep();
    }
  }

  #startStep(): void {
    this.#stepStart = performance.now();
    this.#timer = setTimeout(() => this.#nextStep(), Math.min(this.#stepMs, this.#leftMs));
  }

  #nextStep(): void {
    this.#endStep();
    if (!this.isSpent) this.#startStep();
    // Replies that arrived while the process was busy are in time: the sockets are read once more.
    else setImmediate(() => this.#spent.resolve(SPENT));
  }

  #endStep(): void {
    clearTimeout(this.#timer);
    this.#leftMs -= Math.min(this.#stepMs, performance.now() - this.#stepStart);
  }
}
