interface RecentMaximum {
  observe(value: number, now: number): void;
  /** The maximum over the last `keptMs` to twice `keptMs`; 0 without a value. */
  value(now: number): number;
}

export function createRecentMaximum(keptMs: number): RecentMaximum {
  let from = 0;
  let current = 0;
  let previous = 0;

  function advance(now: number): void {
    if (now - from < keptMs) return;
    previous = now - from < 2 * keptMs ? current : 0;
    current = 0;
    from = now;
  }

  return {
    observe(value, now) {
      advance(now);
      current = Math.max(current, value);
    },
    value(now) {
      advance(now);
      return Math.max(previous, current);
    },
  };
}
