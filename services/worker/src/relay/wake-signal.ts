/** For one who waits. Rung while nobody waits, the next waiting ends at once. */
export class WakeSignal {
  #isRung = false;
  #wake = (): void => {};

  readonly ring = (): void => {
    this.#isRung = true;
    this.#wake();
  };

  /** Ends when the bell is rung, or after `ms`. */
  async wait(ms: number): Promise<void> {
    if (!this.#isRung) {
      const woken = Promise.withResolvers<void>();
      this.#wake = woken.resolve;
      const timer = setTimeout(woken.resolve, ms);
      await woken.promise;
      clearTimeout(timer);
    }
    this.#isRung = false;
  }
}
