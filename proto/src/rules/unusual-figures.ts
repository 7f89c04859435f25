const PEOPLE_MIN_COUNT = 50;
/** In the four weeks before. */
const SHIPPED_MIN_COUNT = 40;

/** The usual number of people, if that of an hour is far from it. @param earlier the same hour of the weeks before */
export function unusualPeople(people: number, earlier: readonly number[]): number | null {
  const mean = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0) / counts.length;
  if (earlier.length === 0) return null;
  const usual = mean(earlier);
  if (Math.max(people, usual) < PEOPLE_MIN_COUNT || (people < 2 * usual && people > usual / 2)) return null;
  // Independent visits have a variance of their mean, others a larger one.
  const variance = Math.max(usual, mean(earlier.map((count) => (count - usual) ** 2)));
  return Math.abs(people - usual) > 3 * Math.sqrt(variance) ? Math.round(usual) : null;
}

/** Whether the earnings of seven days are far below those of a usual week. */
export function areFalling({
  earnings,
  usualEarnings,
  shipped,
}: Record<"earnings" | "usualEarnings" | "shipped", number>) {
  return usualEarnings > 0 && shipped >= SHIPPED_MIN_COUNT && earnings <= usualEarnings / 2;
}
