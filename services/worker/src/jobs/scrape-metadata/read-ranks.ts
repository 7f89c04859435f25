const WINDOW_MS = 10 * 60_000;

/** Returns how many reads it ranked for this user within the current ten minutes, without this one. */
type RankRead = (userId: number) => number;

/** Counts in memory, because one relay works at a time. */
export function createReadRanks(): RankRead {
  const counts = new Map<number, number>();
  let windowEnd = 0;
  return (userId) => {
    const now = performance.now();
    if (now >= windowEnd) {
      counts.clear();
      windowEnd = now + WINDOW_MS;
    }
    const rank = counts.get(userId) ?? 0;
    counts.set(userId, rank + 1);
    return rank;
  };
}
