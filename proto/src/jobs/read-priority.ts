/** In this order pages are read: those of a new link before those that are refreshed or were missed. */
const TIERS = ["member", "member-refresh", "anonymous", "anonymous-refresh"] as const;
export type ReadTier = (typeof TIERS)[number];

/** Further ones have the last rank. Four tiers of them stay below BullMQ's limit of 2,097,152. */
const RANKS = 100_000;

/**
 * The priority of a page read; the queue takes up lower numbers first.
 * @param rank how many reads the same account or address has requested lately, from 0: the second of one
 *   waits for the first of everybody else
 */
export function readPriority(tier: ReadTier, rank = 0): number {
  return 1 + TIERS.indexOf(tier) * RANKS + Math.min(rank, RANKS - 1);
}
