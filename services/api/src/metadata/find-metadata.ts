import { setTimeout as delay } from "node:timers/promises";
import { METADATA_WAIT_MS } from "@tapthru/proto/rules/limits";
import type { CommonQueryMethods } from "slonik";
import { findPage, type KnownPage, type PageName } from "./queries.ts";
import type { QueuePageRead } from "./queue-read.ts";
import type { WaitLimiter } from "./wait-limiter.ts";

const LOOK_AGAIN_MS = 200;

const NOTHING = { title: null, description: null, imageUrl: null, siteName: null };

export type Metadata = Pick<KnownPage, keyof typeof NOTHING>;

/** Who asks. */
export interface Visitor {
  /** Whose places in the waiting room are counted. */
  address: string;
  requestId: string;
}

export interface MetadataNeeds {
  db: Pick<CommonQueryMethods, "maybeOne">;
  queueRead: QueuePageRead;
  waitingRoom: WaitLimiter;
}

/**
 * What is known of a page. One that was never read is read now, and waited for a little while; only
 * pages that a link leads to are, so that nobody makes us read what he likes.
 */
export async function findMetadata(
  needs: MetadataNeeds,
  name: PageName,
  visitor: Visitor,
): Promise<Metadata> {
  const page = await findPage(needs.db, name);
  if (page === null) return NOTHING;
  if (page.wasRead || !page.isDue) return page;
  const place = needs.waitingRoom.enter(visitor.address);
  if (place === null) return page;
  try {
    const { canonicalUrl, attempts: attempt } = page;
    await needs.queueRead({ canonicalUrl, attempt }, { ...visitor, userId: null });
    return (await waitForReading(needs, name)) ?? page;
  } finally {
    place.leave();
  }
}

/** The page once it has been read, or is left for later; null when that takes too long. */
async function waitForReading({ db }: MetadataNeeds, name: PageName): Promise<KnownPage | null> {
  const end = performance.now() + METADATA_WAIT_MS;
  while (performance.now() < end) {
    await delay(LOOK_AGAIN_MS);
    const page = await findPage(db, name);
    if (page === null || page.wasRead || !page.isDue) return page;
  }
  return null;
}
