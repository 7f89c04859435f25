/** The order of page reads: pages of new links before refreshed and missed ones. */
const TIERS = ["member", "member-refresh", "anonymous", "anonymous-refresh"] as const;
export type ReadTier = (typeof TIERS)[number];

/** Reads beyond it share the last rank. Four tiers stay below BullMQ's limit of 2,097,152. */
const RANKS = 100_000;

/**
 * The priority of a page read; lower numbers run first.
 * @param rank recent reads of the same account or address, from 0: its second read runs after the first read of all
 *   others
 */
export function readPriority(tier: ReadTier, rank = 0): number {
  return 1 + TIERS.indexOf(tier) * RANKS + Math.min(rank, RANKS - 1);
}
