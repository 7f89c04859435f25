import { type CommonQueryMethods, sql } from "slonik";
import {
  claimDueStores,
  type ProductInStore,
  postponeCheck,
  recordFound,
  recordNothing,
} from "./check-product-stores-queries.ts";
import { deleteOldRows } from "./purge-old-rows.ts";
import { postponementDelay, refreshDelay, retryDelay } from "./scrape-metadata/delays.ts";
import type { MetadataSource, ReadResult } from "./scrape-metadata/source.ts";

/** One after the other, so that reads for metadata, of which several run at once, go on beside them. */
const CHECKS_PER_RUN = 30;
/** How long a result of a source without a limit counts while further checks find nothing. */
const KEEP_FOR_MS = 14 * 24 * 60 * 60 * 1_000;

interface Dependencies {
  db: CommonQueryMethods;
  /** Null: no product is checked, and what is known is kept for its time only. */
  metadataSource: MetadataSource | null;
}

/** Checks products in stores that are due. What an aborted run claimed is due again later. */
export async function checkProductStores(deps: Dependencies, signal: AbortSignal): Promise<void> {
  const { db, metadataSource } = deps;
  const expired = {
    table: "product_stores",
    key: ["asin", "store"],
    since: "keep_until",
    before: sql.fragment`now()`,
  };
  await deleteOldRows(db, expired, signal);
  if (metadataSource === null || signal.aborted) return;
  for (const product of await claimDueStores(db, CHECKS_PER_RUN)) {
    await checkStore({ db, metadataSource }, product, signal);
  }
}

async function checkStore(
  { db, metadataSource }: { db: CommonQueryMethods; metadataSource: MetadataSource },
  product: ProductInStore,
  signal: AbortSignal,
): Promise<void> {
  const { asin, store, attempts } = product;
  const canonicalUrl = `https://www.amazon.${store}/dp/${asin}`;
  const page = { canonicalUrl, marketplace: store, productId: asin };
  const result = await metadataSource.read(page, signal);
  if (result.kind === "postponed") {
    return postponeCheck(db, product, postponementDelay(result.retryInMs, Math.random()));
  }
  const sold = soldByRead(result, asin);
  if (sold === null) {
    const isLasting = result.kind === "nothing" && result.lasting === true;
    const failures = isLasting ? Number.POSITIVE_INFINITY : attempts + 1;
    return recordNothing(db, product, retryDelay(failures, Math.random()));
  }
  const { name: source, freshForMs, keepForMs } = metadataSource;
  await recordFound(db, product, {
    sold,
    source,
    nextInMs: refreshDelay(freshForMs, Math.random()),
    keepForMs: keepForMs ?? KEEP_FOR_MS,
  });
}

/**
 * Whether a read of a product in a store found that the store sells it; a product that is out of stock counts as sold. Only
 * a response that names the product proves it, and only one that names another product, or says that the product does not
 * exist, proves the opposite.
 * @returns null if the read proves nothing, for example after a captcha
 */
export function soldByRead(result: ReadResult, asin: string): boolean | null {
  if (result.kind === "nothing") return result.outcome === "gone" ? false : null;
  return result.asin === undefined ? null : result.asin === asin;
}
