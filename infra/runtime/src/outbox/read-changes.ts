import type { ChangePage, Position } from "./changes-query.ts";

/** A snapshot without visible transactions: with it all kept rows are read. */
export const EMPTY_SNAPSHOT = "1:1:";

/**
 * Reads all rows that are not visible in a snapshot, page by page: each row as soon as it is visible, regardless of the
 * order of commits.
 * @returns the snapshot from which to continue
 */
export async function readChanges(
  knownSnapshot: string,
  readPage: (after: Position) => Promise<ChangePage>,
): Promise<string> {
  const { xmin, xmax } = snapshotBounds(knownSnapshot);
  const first = await readPage({ transactionId: String(xmin), id: 0 });
  for (let { next } = first; next !== null; ) next = (await readPage(next)).next;
  // The server was restored, or lost its last transactions: read all rows again.
  return snapshotBounds(first.snapshot).xmax < xmax ? EMPTY_SNAPSHOT : first.snapshot;
}

/** All transactions before `xmin` are visible or aborted; none from `xmax` on had started. */
function snapshotBounds(snapshot: string): { xmin: bigint; xmax: bigint } {
  const [xmin = "", xmax = ""] = snapshot.split(":");
  return { xmin: BigInt(xmin), xmax: BigInt(xmax) };
}
