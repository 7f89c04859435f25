interface RecentMaximum {
  observe(value: number, now: number): void;
  /** The maximum over a time between `periodMs` and twice `periodMs`; 0 if there was no value. */
  value(now: number): number;
}

export function createRecentMaximum(periodMs: number): RecentMaximum {
  let periodStart = 0;
  let current = 0;
  let previous = 0;

  function advance(now: number): void {
    if (now - periodStart < periodMs) return;
    previous = now - periodStart < 2 * periodMs ? current : 0;
    current = 0;
    periodStart = now;
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
