const PLACES = 50;
const PLACES_PER_VISITOR = 5;

export interface WaitLimiter {
  /** Null when it is full, or the visitor has enough places. */
  enter(visitor: string): { leave(): void } | null;
}

/** Bounds how many requests wait for pages to be read, for each visitor and in all. */
export function createWaitLimiter(): WaitLimiter {
  const taken = new Map<string, number>();
  let inAll = 0;

  return {
    enter(visitor) {
      const own = taken.get(visitor) ?? 0;
      if (inAll >= PLACES || own >= PLACES_PER_VISITOR) return null;
      taken.set(visitor, own + 1);
      inAll++;
      return {
        leave() {
          const left = (taken.get(visitor) ?? 1) - 1;
          if (left === 0) taken.delete(visitor);
          else taken.set(visitor, left);
          inAll--;
        },
      };
    },
  };
}
