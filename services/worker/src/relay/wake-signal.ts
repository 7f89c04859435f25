/** Wakes one waiter. A signal without a waiter ends the next wait at once. */
export class WakeSignal {
  #isSet = false;
  #resume = (): void => {};

  readonly wake = (): void => {
    this.#isSet = true;
    this.#resume();
  };

  /** Resolves on a signal, or after `ms`. */
  async wait(ms: number): Promise<void> {
    if (!this.#isSet) {
      const woken = Promise.withResolvers<void>();
      this.#resume = woken.resolve;
      const timer = setTimeout(woken.resolve, ms);
      await woken.promise;
      clearTimeout(timer);
    }
    this.#isSet = false;
  }
}
