const MAX_WAITS = 50;
const MAX_WAITS_PER_VISITOR = 5;

export interface WaitLimiter {
  /** Null when it is full, or the visitor has enough places. */
  acquire(visitor: string): { release(): void } | null;
}

/** Bounds how many requests wait for pages to be read, for each visitor and in all. */
export function createWaitLimiter(): WaitLimiter {
  const waits = new Map<string, number>();
  let total = 0;

  return {
    acquire(visitor) {
      const current = waits.get(visitor) ?? 0;
      if (total >= MAX_WAITS || current >= MAX_WAITS_PER_VISITOR) return null;
      waits.set(visitor, current + 1);
      total++;
      return {
        release() {
          const remaining = (waits.get(visitor) ?? 1) - 1;
          if (remaining === 0) waits.delete(visitor);
          else waits.set(visitor, remaining);
          total--;
        },
      };
    },
  };
}
