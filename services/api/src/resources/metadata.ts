import { setTimeout as delay } from "node:timers/promises";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { metadata } from "@tapthru/proto/metadata";
import { resolveLink } from "@tapthru/proto/resolve-link";
import { productImage } from "@tapthru/proto/rules/amazon/images";
import type { Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import { sql } from "slonik";
import * as z from "zod/mini";
import type { Api } from "../api.ts";
import { handlers } from "../callers/handlers.ts";
import type { ReleaseSlotDuring } from "../http/shed-load.ts";

const METADATA_WAIT_MS = 2_000;

export const metadataHandlers = handlers(
  { metadata, resolveLink },
  {
    metadata: async (api, { ctx, query }) => {
      const product = { productId: query.product_id, marketplace: query.marketplace };
      const { requestId, releaseSlotDuring } = ctx.state;
      const visitor = { address: api.addressOf(ctx.req), requestId, releaseSlotDuring };
      const found = await findMetadata(api, product, visitor);
      return { ...found, imageUrl: productImage(found.imageUrl) };
    },

    resolveLink: async ({ resolveShortLink }, { ctx, body: { url } }) => {
      const { redisBudget, releaseSlotDuring } = ctx.state;
      return { resolvedUrl: await releaseSlotDuring(() => resolveShortLink(url, redisBudget)) };
    },
  },
);

const POLL_INTERVAL_MS = 200;

const NO_METADATA = { title: null, description: null, imageUrl: null, siteName: null };

interface ProductKey {
  productId: string;
  marketplace: Marketplace;
}

/**
 * Returns the stored metadata of a product. If it was never read, queues a read and waits briefly until the page was read or the
 * attempt failed. Only reads products that a link leads to, so that visitors cannot make the server fetch arbitrary pages.
 */
export async function findMetadata(
  { db, queueRead, waitLimiter }: Pick<Api, "db" | "queueRead" | "waitLimiter">,
  product: ProductKey,
  visitor: { address: string; requestId: string; releaseSlotDuring: ReleaseSlotDuring },
) {
  const { address, requestId, releaseSlotDuring } = visitor;
  const page = await findPage(db, product);
  if (page === null) return NO_METADATA;
  if (page.wasRead || !page.isDue) return page;
  const slot = waitLimiter.acquire(address);
  if (slot === null) return page;
  const waitForRead = async () => {
    const end = performance.now() + METADATA_WAIT_MS;
    while (performance.now() < end) {
      await delay(POLL_INTERVAL_MS);
      const latest = await findPage(db, product);
      if (latest === null || latest.wasRead || !latest.isDue) return latest;
    }
    return null;
  };
  try {
    const { canonicalUrl, attempts: attempt } = page;
    await queueRead({ canonicalUrl, attempt }, { address, requestId, userId: null });
    return (await releaseSlotDuring(waitForRead, { mayReject: false })) ?? page;
  } finally {
    slot.release();
  }
}

const StoredPage = z.object({
  canonicalUrl: z.string(),
  title: z.nullable(z.string()),
  description: z.nullable(z.string()),
  imageUrl: z.nullable(z.string()),
  siteName: z.nullable(z.string()),
  /** Failed reads since the last successful one. */
  attempts: z.int(),
  wasRead: z.boolean(),
  isDue: z.boolean(),
});

/** Finds the page of a product, the most recently read one if there are several; null if no link leads there. */
function findPage(db: Db<"maybeOne">, { productId, marketplace }: ProductKey) {
  return db.maybeOne(sql.type(StoredPage)`
    SELECT canonical_url AS "canonicalUrl", title, description, image_url AS "imageUrl",
      site_name AS "siteName", attempts, fetched_at IS NOT NULL AS "wasRead",
      coalesce(next_attempt_at <= now(), false) AS "isDue"
    FROM products
    WHERE product_id = ${productId} AND marketplace = ${marketplace}
    ORDER BY fetched_at DESC NULLS LAST, canonical_url
    LIMIT 1
  `);
}
