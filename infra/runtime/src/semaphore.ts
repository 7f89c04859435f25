/** Lets a number of holders in at once; further ones wait in line, first come, first served. */
export class Semaphore {
  readonly #lineLength: number;
  readonly #line = new Set<(entered: boolean) => void>();
  #free: number;

  constructor(size: number, lineLength: number) {
    this.#free = size;
    this.#lineLength = lineLength;
  }

  get waiting(): number {
    return this.#line.size;
  }

  /** False when the line is too long, or no place became free within `ms`. */
  async enter(ms: number): Promise<boolean> {
    if (this.#free > 0) {
      this.#free--;
      return true;
    }
    if (this.#line.size >= this.#lineLength) return false;
    const turn = Promise.withResolvers<boolean>();
    this.#line.add(turn.resolve);
    const timer = setTimeout(() => {
      this.#line.delete(turn.resolve);
      turn.resolve(false);
    }, ms);
    try {
      return await turn.promise;
    } finally {
      clearTimeout(timer);
    }
  }

  /** To be called once for each `enter` that gave true. */
  leave(): void {
    const [next] = this.#line;
    if (next === undefined) {
      this.#free++;
      return;
    }
    this.#line.delete(next);
    next(true);
  }
}
