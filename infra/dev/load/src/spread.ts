/**
 * The number of a link, by Zipf's law: the first is visited most, the second half as often, and so on.
 * @param links how many there are
 * @param chance from 0 up to, without, 1
 */
export function popularLink(links: number, chance: number): number {
  return Math.floor((links + 1) ** chance) - 1;
}
