import type { CommonQueryMethods } from "slonik";
import { markPropagated, type PageRevision, propagateToLinks } from "./queries.ts";

const BATCH = 500;

/** The relay then writes the changed links to their redirect records. */
export async function propagateMetadata(
  { db }: { db: CommonQueryMethods },
  page: PageRevision,
  signal: AbortSignal,
): Promise<void> {
  let afterId: number | null = 0;
  while (afterId !== null) {
    signal.throwIfAborted();
    const { lastId } = await propagateToLinks(db, page, { afterId, limit: BATCH });
    afterId = lastId;
  }
  await markPropagated(db, page);
}
