/** Lets `perSecond` through on average, and `burst` at once; in no second more than their sum. */
export class TokenBucket {
  readonly #perMs: number;
  readonly #burst: number;
  #tokens: number;
  #filledAt = 0;

  constructor({ perSecond, burst }: { perSecond: number; burst: number }) {
    this.#perMs = perSecond / 1_000;
    this.#burst = burst;
    this.#tokens = burst;
  }

  /** @param now in milliseconds of a clock that never goes back */
  take(now: number): boolean {
    const refilled = this.#tokens + (now - this.#filledAt) * this.#perMs;
    this.#tokens = Math.min(this.#burst, refilled);
    this.#filledAt = now;
    if (this.#tokens < 1) return false;
    this.#tokens--;
    return true;
  }
}
