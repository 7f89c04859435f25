/**
 * Postgres's clock, which decides when links expire. Before the first observation, it is the clock of this machine.
 */
export class Clock {
  #offsetMs = Date.now() - performance.now();

  /** Unix milliseconds, with fractions. */
  now(): number {
    return performance.now() + this.#offsetMs;
  }

  /**
   * Corrects the clock by the smallest amount that is consistent with the observation.
   * @param postgresNow Unix milliseconds, read by Postgres between `sentAt` and `receivedAt`
   * @param sentAt by performance.now(), like `receivedAt`
   */
  observe(postgresNow: number, sentAt: number, receivedAt: number): void {
    const minOffset = postgresNow - receivedAt;
    const maxOffset = postgresNow - sentAt;
    this.#offsetMs = Math.min(Math.max(this.#offsetMs, minOffset), maxOffset);
  }

  /** How far the machine's clock is ahead, in milliseconds. */
  get machineAheadMs(): number {
    return Date.now() - this.now();
  }
}
