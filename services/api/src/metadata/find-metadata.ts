import { setTimeout as delay } from "node:timers/promises";
import { METADATA_WAIT_MS } from "@tapthru/proto/rules/limits";
import type { CommonQueryMethods } from "slonik";
import { findPage, type ProductKey, type StoredPage } from "./queries.ts";
import type { QueuePageRead } from "./queue-read.ts";
import type { WaitLimiter } from "./wait-limiter.ts";

const POLL_INTERVAL_MS = 200;

const NO_METADATA = { title: null, description: null, imageUrl: null, siteName: null };

export type Metadata = Pick<StoredPage, keyof typeof NO_METADATA>;

/** Who asks. */
export interface Visitor {
  /** Whose places in the waiting room are counted. */
  address: string;
  requestId: string;
}

export interface MetadataDependencies {
  db: Pick<CommonQueryMethods, "maybeOne">;
  queueRead: QueuePageRead;
  waitLimiter: WaitLimiter;
}

/**
 * What is known of a page. One that was never read is read now, and waited for a little while; only
 * pages that a link leads to are, so that nobody makes us read what he likes.
 */
export async function findMetadata(
  deps: MetadataDependencies,
  product: ProductKey,
  visitor: Visitor,
): Promise<Metadata> {
  const page = await findPage(deps.db, product);
  if (page === null) return NO_METADATA;
  if (page.wasRead || !page.isDue) return page;
  const slot = deps.waitLimiter.acquire(visitor.address);
  if (slot === null) return page;
  try {
    const { canonicalUrl, attempts: attempt } = page;
    await deps.queueRead({ canonicalUrl, attempt }, { ...visitor, userId: null });
    return (await waitForRead(deps, product)) ?? page;
  } finally {
    slot.release();
  }
}

/** The page once it has been read, or is left for later; null when that takes too long. */
async function waitForRead(
  { db }: MetadataDependencies,
  product: ProductKey,
): Promise<StoredPage | null> {
  const end = performance.now() + METADATA_WAIT_MS;
  while (performance.now() < end) {
    await delay(POLL_INTERVAL_MS);
    const page = await findPage(db, product);
    if (page === null || page.wasRead || !page.isDue) return page;
  }
  return null;
}
