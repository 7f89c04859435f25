/** Wakes one waiter. A signal without a waiter ends the next wait at once. */
export class WakeSignal {
  #isRung = false;
  #wake = (): void => {};

  readonly ring = (): void => {
    this.#isRung = true;
    this.#wake();
  };

  /** Resolves on a signal, or after `ms`. */
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
