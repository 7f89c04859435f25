import { setImmediate } from "node:timers/promises";

/** Asks once for all that is wanted within a turn of the event loop. */
export class Batch<T> {
  readonly #ask: (keys: readonly string[]) => Promise<readonly T[]>;
  #places = new Map<string, number>();
  #answers: Promise<readonly T[]> | null = null;

  /** @param ask gives an answer a key, in their order */
  constructor(ask: (keys: readonly string[]) => Promise<readonly T[]>) {
    this.#ask = ask;
  }

  want(key: string): Promise<T> {
    let place = this.#places.get(key);
    if (place === undefined) {
      place = this.#places.size;
      this.#places.set(key, place);
    }
    this.#answers ??= this.#askSoon();
    return this.#answers.then((answers) => answers[place] as T);
  }

  async #askSoon(): Promise<readonly T[]> {
    await setImmediate();
    const keys = [...this.#places.keys()];
    this.#places = new Map();
    this.#answers = null;
    return this.#ask(keys);
  }
}
