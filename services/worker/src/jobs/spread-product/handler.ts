import type { CommonQueryMethods } from "slonik";
import { markSpread, type PageRevision, tellLinks } from "./queries.ts";

const BATCH = 500;

/** The relay carries the changed links to their redirect records. */
export async function spreadProduct(
  { db }: { db: CommonQueryMethods },
  page: PageRevision,
  signal: AbortSignal,
): Promise<void> {
  let afterId: number | null = 0;
  while (afterId !== null) {
    signal.throwIfAborted();
    const { lastId } = await tellLinks(db, page, { afterId, limit: BATCH });
    afterId = lastId;
  }
  await markSpread(db, page);
}
