/**
 * The time by Postgres's clock: links expire by it alone, whatever the clock of this machine says.
 * Until Postgres was asked for the first time it is the machine's.
 */
export class Clock {
  #offsetMs = Date.now() - performance.now();

  /** Unix milliseconds, with fractions. */
  now(): number {
    return performance.now() + this.#offsetMs;
  }

  /**
   * Corrects the clock as little as the answer proves.
   * @param postgresNow Unix milliseconds, read between the two moments, which are of performance.now()
   */
  observe(postgresNow: number, askedAt: number, answeredAt: number): void {
    const lowest = postgresNow - answeredAt;
    const highest = postgresNow - askedAt;
    this.#offsetMs = Math.min(Math.max(this.#offsetMs, lowest), highest);
  }

  /** How far the machine's clock is ahead, in milliseconds. */
  get machineAheadMs(): number {
    return Date.now() - this.now();
  }
}
