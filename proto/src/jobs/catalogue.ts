import { checkProductStores } from "./check-product-stores.ts";
import { checkRedirects } from "./check-redirects.ts";
import type { JobCatalogue } from "./definition.ts";
import { propagateMetadata } from "./propagate-metadata.ts";
import { purgeApiKeys } from "./purge-api-keys.ts";
import { purgeAppOpenings } from "./purge-app-openings.ts";
import { purgeClickBatches } from "./purge-click-batches.ts";
import { purgeExpiredLinks } from "./purge-expired-links.ts";
import { purgeIdempotencyKeys } from "./purge-idempotency-keys.ts";
import { purgeLinkChanges } from "./purge-link-changes.ts";
import { purgeReports } from "./purge-reports.ts";
import { purgeWebhookDeliveries } from "./purge-webhook-deliveries.ts";
import { rebuildRedirects } from "./rebuild-redirects.ts";
import { rollUpClicks } from "./roll-up-clicks.ts";
import { runImport } from "./run-import.ts";
import { scrapeMetadata } from "./scrape-metadata.ts";
import { sendDigests } from "./send-digests.ts";
import { sumOwnerClicks } from "./sum-owner-clicks.ts";
import { sweepImports } from "./sweep-imports.ts";
import { sweepProducts } from "./sweep-products.ts";
import { updateLinkHealth } from "./update-link-health.ts";

/** All jobs. */
export const JOBS = {
  [checkProductStores.name]: checkProductStores,
  [checkRedirects.name]: checkRedirects,
  [purgeApiKeys.name]: purgeApiKeys,
  [purgeAppOpenings.name]: purgeAppOpenings,
  [purgeClickBatches.name]: purgeClickBatches,
  [purgeExpiredLinks.name]: purgeExpiredLinks,
  [purgeIdempotencyKeys.name]: purgeIdempotencyKeys,
  [purgeLinkChanges.name]: purgeLinkChanges,
  [purgeReports.name]: purgeReports,
  [purgeWebhookDeliveries.name]: purgeWebhookDeliveries,
  [rebuildRedirects.name]: rebuildRedirects,
  [rollUpClicks.name]: rollUpClicks,
  [runImport.name]: runImport,
  [scrapeMetadata.name]: scrapeMetadata,
  [sendDigests.name]: sendDigests,
  [sumOwnerClicks.name]: sumOwnerClicks,
  [propagateMetadata.name]: propagateMetadata,
  [sweepImports.name]: sweepImports,
  [sweepProducts.name]: sweepProducts,
  [updateLinkHealth.name]: updateLinkHealth,
} satisfies JobCatalogue;
