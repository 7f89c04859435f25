/** Runs work unless `max` other pieces of work are unfinished; then it returns null at once. */
export type LimitWaiting = <T>(work: () => Promise<T>) => Promise<T | null>;

export function createWaitingLimit(max: number): LimitWaiting {
  let waiting = 0;
  return async (work) => {
    if (waiting >= max) return null;
    waiting++;
    try {
      return await work();
    } finally {
      waiting--;
    }
  };
}
