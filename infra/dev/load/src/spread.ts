/**
 * Chooses the number of a link by Zipf's law: the first is visited most, the second half as often, and so on.
 * @param links number of links
 * @param chance from 0 (inclusive) to 1 (exclusive)
 */
export function popularLink(links: number, chance: number): number {
  return Math.floor((links + 1) ** chance) - 1;
}
