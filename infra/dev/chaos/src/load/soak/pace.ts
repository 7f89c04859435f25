/** A longer time between two ticks is a pause. */
const MAX_TICK_MS = 50;

/**
 * When operations of a constant rate are due. A pause of this process, as when other programs use its core, postpones
 * those that are left. Sent all at once they would be another load than planned, and none of them was late because of
 * the server.
 */
export class Pace {
  /** Sum of the pauses. */
  pausedMs = 0;
  readonly #perSecond: number;
  #tickedAtMs = 0;

  constructor(perSecond: number) {
    this.#perSecond = perSecond;
  }

  /**
   * Number of operations that are due.
   * @param elapsedMs time since the start, not before that of the call before
   */
  tick(elapsedMs: number): number {
    this.pausedMs += Math.max(0, elapsedMs - this.#tickedAtMs - MAX_TICK_MS);
    this.#tickedAtMs = elapsedMs;
    return Math.floor(((elapsedMs - this.pausedMs) * this.#perSecond) / 1_000) + 1;
  }

  /** When the operation is due if there is no further pause. @param number from 0 */
  dueAtMs(number: number): number {
    return (number * 1_000) / this.#perSecond + this.pausedMs;
  }
}
