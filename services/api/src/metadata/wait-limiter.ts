const MAX_WAITS = 50;
const MAX_WAITS_PER_VISITOR = 5;

export interface WaitLimiter {
  /** @returns null if the limit of all requests or of this visitor is reached */
  acquire(visitor: string): { release(): void } | null;
}

/** Limits how many requests wait for metadata, per visitor and in total. */
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
