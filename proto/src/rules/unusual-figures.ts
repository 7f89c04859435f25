/** In an hour; fewer say too little. */
const PEOPLE_MIN_COUNT = 50;
const DEVIATIONS = 3;

const mean = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0) / counts.length;

/**
 * The usual number of people if that of an hour is far from it; otherwise null.
 * @param earlier the same hour of weeks before
 */
export function unusualPeople(people: number, earlier: readonly number[]): number | null {
  if (earlier.length === 0) return null;
  const usual = mean(earlier);
  if (Math.max(people, usual) < PEOPLE_MIN_COUNT || (people < 2 * usual && people > usual / 2)) return null;
  // Counts of independent visits vary by the root of their number, and no count varies less.
  const variance = Math.max(usual, mean(earlier.map((count) => (count - usual) ** 2)));
  return Math.abs(people - usual) > DEVIATIONS * Math.sqrt(variance) ? Math.round(usual) : null;
}

/** The usual earnings of a week if those of the last one fell far below; otherwise null. @param earlier the weeks before */
export function fallenEarnings(last: number, earlier: readonly number[]): number | null {
  const usual = mean(earlier);
  return last <= usual / 2 && last < Math.min(...earlier) ? Math.round(usual) : null;
}
