import type { JobContext, JobHandlers } from "@tapthru/core/platform/jobs/workers";
import type { JOBS } from "@tapthru/proto/jobs/catalogue";
import type { JobPayload } from "@tapthru/proto/jobs/definition";
import type { App } from "./app.ts";
import { checkDomains } from "./jobs/check-domains/check-domains.ts";
import { checkProductStores } from "./jobs/check-product-stores.ts";
import { moveLinksOfRemovedDomains } from "./jobs/move-links-of-removed-domains.ts";
import { orderCertificates } from "./jobs/order-certificates/order-certificates.ts";
import { propagateMetadata } from "./jobs/propagate-metadata.ts";
import { purgeExpiredLinks } from "./jobs/purge-expired-links.ts";
import { purgeOldRows } from "./jobs/purge-old-rows.ts";
import { readEarnings } from "./jobs/read-earnings/read-earnings.ts";
import { checkRedirects, rebuildRedirects } from "./jobs/rebuild-redirects.ts";
import { scrapeMetadata } from "./jobs/scrape-metadata/scrape-metadata.ts";
import { sendAbuseReportNotices } from "./jobs/send-abuse-report-notices.ts";
import { sendEmail } from "./jobs/send-email.ts";
import { sendWeeklyEmails } from "./jobs/send-weekly-emails.ts";
import { sweepEarnings } from "./jobs/sweep-earnings.ts";
import { sweepProducts } from "./jobs/sweep-products.ts";
import { updateLinkHealth } from "./jobs/update-link-health.ts";

type Job<Payload> = (app: App, payload: Payload, context: JobContext) => Promise<void>;

/** The function of each job; a missing one is a compile error. */
const FUNCTIONS: { [Name in keyof typeof JOBS]: Job<JobPayload<(typeof JOBS)[Name]>> } = {
  "check-domains": checkDomains,
  "check-product-stores": checkProductStores,
  "check-redirects": checkRedirects,
  "move-links-of-removed-domains": moveLinksOfRemovedDomains,
  "order-certificates": orderCertificates,
  "propagate-metadata": propagateMetadata,
  "purge-expired-links": purgeExpiredLinks,
  "purge-old-rows": purgeOldRows,
  "read-earnings": readEarnings,
  "rebuild-redirects": rebuildRedirects,
  "scrape-metadata": scrapeMetadata,
  "send-email": sendEmail,
  "send-abuse-report-notices": sendAbuseReportNotices,
  "send-weekly-emails": sendWeeklyEmails,
  "sweep-earnings": sweepEarnings,
  "sweep-products": sweepProducts,
  "update-link-health": updateLinkHealth,
};

export function createHandlers(app: App): JobHandlers<typeof JOBS> {
  const functions = Object.entries<Job<never>>(FUNCTIONS);
  const handlers = functions.map(([name, job]) => [name, job.bind(null, app)] as const);
  return Object.fromEntries(handlers) as JobHandlers<typeof JOBS>;
}
