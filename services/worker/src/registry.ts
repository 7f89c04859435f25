import type { JOBS } from "@tapthru/proto/jobs/catalogue";
import type { JobProducer } from "@tapthru/runtime/jobs/producer";
import type { JobHandlers } from "@tapthru/runtime/jobs/workers";
import type { RedirectStore } from "@tapthru/runtime/redis/redirect-store";
import type { CommonQueryMethods } from "slonik";
import { checkRedirects } from "./jobs/check-redirects/handler.ts";
import { purgeExpiredLinks } from "./jobs/purge-expired-links/handler.ts";
import { purgeIdempotencyKeys } from "./jobs/purge-idempotency-keys/handler.ts";
import { purgeLinkChanges } from "./jobs/purge-link-changes/handler.ts";
import { purgeReports } from "./jobs/purge-reports/handler.ts";
import { rebuildRedirects } from "./jobs/rebuild-redirects/handler.ts";
import type { Projection } from "./jobs/rebuild-redirects/projection.ts";
import { scrapeMetadata } from "./jobs/scrape-metadata/handler.ts";
import type { MetadataSource } from "./jobs/scrape-metadata/source.ts";
import { spreadProduct } from "./jobs/spread-product/handler.ts";
import { sweepProducts } from "./jobs/sweep-products/handler.ts";

interface Needs {
  db: CommonQueryMethods;
  redirectStore: RedirectStore;
  projection: Projection;
  metadataSource: MetadataSource | null;
  jobs: JobProducer<typeof JOBS>;
}

/** One handler for each job; a missing one is a compile error. */
export function createHandlers(needs: Needs): JobHandlers<typeof JOBS> {
  return {
    "check-redirects": () => checkRedirects(needs),
    "purge-expired-links": (_payload, { signal }) => purgeExpiredLinks(needs, signal),
    "purge-idempotency-keys": (_payload, { signal }) => purgeIdempotencyKeys(needs, signal),
    "purge-link-changes": (_payload, { signal }) => purgeLinkChanges(needs, signal),
    "purge-reports": (_payload, { signal }) => purgeReports(needs, signal),
    "rebuild-redirects": (payload, context) => rebuildRedirects(needs, payload, context),
    "scrape-metadata": (attempt, context) => scrapeMetadata(needs, attempt, context),
    "spread-product": (page, { signal }) => spreadProduct(needs, page, signal),
    "sweep-products": (_payload, { signal }) => sweepProducts(needs, signal),
  };
}
