import { setTimeout as delay } from "node:timers/promises";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { METADATA_WAIT_MS } from "@tapthru/proto/rules/limits";
import type { WhileWaiting } from "../http/shed-load.ts";
import { findPage, type ProductKey, type StoredPage } from "./queries.ts";
import type { QueuePageRead } from "./queue-read.ts";

const POLL_INTERVAL_MS = 200;

const NO_METADATA = { title: null, description: null, imageUrl: null, siteName: null };

export type Metadata = Pick<StoredPage, keyof typeof NO_METADATA>;

export interface Visitor {
  /** Network address; limits concurrent waits. */
  address: string;
  requestId: string;
  whileWaiting: WhileWaiting;
}

export interface MetadataDependencies {
  db: Db<"maybeOne">;
  queueRead: QueuePageRead;
  waitLimiter: WaitLimiter;
}

/**
 * Returns the stored metadata of a product. If it was never read, queues a read and waits briefly. Only reads
 * products that a link leads to, so that visitors cannot make the server fetch arbitrary pages.
 */
export async function findMetadata(
  deps: MetadataDependencies,
  product: ProductKey,
  { address, requestId, whileWaiting }: Visitor,
): Promise<Metadata> {
  const page = await findPage(deps.db, product);
  if (page === null) return NO_METADATA;
  if (page.wasRead || !page.isDue) return page;
  const slot = deps.waitLimiter.acquire(address);
  if (slot === null) return page;
  try {
    const { canonicalUrl, attempts: attempt } = page;
    await deps.queueRead({ canonicalUrl, attempt }, { address, requestId, userId: null });
    const read = () => waitForRead(deps, product);
    return (await whileWaiting(read, { mayReject: false })) ?? page;
  } finally {
    slot.release();
  }
}

/** Waits until the page was read or the attempt failed; null after the timeout. */
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

const MAX_WAITS = 50;
const MAX_WAITS_PER_VISITOR = 5;

export interface WaitLimiter {
  /** @returns null if the limit of all requests or of this visitor is reached */
  acquire(visitor: string): { release(): void } | null;
}

/** Limits how many requests wait for metadata, per visitor and in total. */
export function createWaitLimiter(): WaitLimiter {
  const waits = new Map<string, number>();
  let total = 0;

  return {
    acquire(visitor) {
      const current = waits.get(visitor) ?? 0;
      if (total >= MAX_WAITS || current >= MAX_WAITS_PER_VISITOR) return null;
      waits.set(visitor, current + 1);
      total++;
      return {
        release() {
          const remaining = (waits.get(visitor) ?? 1) - 1;
          if (remaining === 0) waits.delete(visitor);
          else waits.set(visitor, remaining);
          total--;
        },
      };
    },
  };
}
