import type { JobContext, JobHandlers } from "@tapthru/core/platform/jobs/workers";
import { DUE_KINDS, JOBS } from "@tapthru/proto/jobs/catalogue";
import { defineJob, type JobCatalogue, type JobPayload } from "@tapthru/proto/jobs/definition";
import * as z from "zod/mini";
import type { App } from "./app.ts";
import { type DueKind, workOff } from "./due.ts";
import { checkDomains } from "./jobs/check-domains/check-domains.ts";
import { sendDomainNotices } from "./jobs/check-domains/send-domain-notices.ts";
import { checkProductStores } from "./jobs/check-product-stores.ts";
import { moveLinksOfRemovedDomains } from "./jobs/move-links-of-removed-domains.ts";
import { orderCertificates, updateHosts } from "./jobs/order-certificates/order-certificates.ts";
import { purgeExpiredLinks } from "./jobs/purge-expired-links.ts";
import { purgeOldRows } from "./jobs/purge-old-rows.ts";
import { readReports } from "./jobs/read-earnings/read-earnings.ts";
import { readExchangeRates } from "./jobs/read-exchange-rates.ts";
import { rebuildRedirects } from "./jobs/rebuild-redirects.ts";
import { scrapeMetadata } from "./jobs/scrape-metadata/scrape-metadata.ts";
import { sendAbuseReportNotices } from "./jobs/send-abuse-report-notices.ts";
import { sendEmail } from "./jobs/send-email.ts";
import { sendWeeklyEmails } from "./jobs/send-weekly-emails.ts";
import { sweepEarnings } from "./jobs/sweep-earnings.ts";
import { sweepProducts } from "./jobs/sweep-products.ts";
import { updateLinkHealth } from "./jobs/update-link-health.ts";
import { sendWebhooks } from "./webhooks/send-webhooks.ts";

type Handler<Payload> = (app: App, payload: Payload, context: JobContext) => Promise<void>;

const FUNCTIONS: { [Name in keyof typeof JOBS]: Handler<JobPayload<(typeof JOBS)[Name]>> } = {
  "scrape-metadata": scrapeMetadata,
  "send-email": sendEmail,
};

/** The name of a kind is also that of its rows in `failed_items`. */
export const KINDS: Record<(typeof DUE_KINDS)[number], DueKind<App, unknown>> = {
  "check-domains": checkDomains,
  "check-product-stores": checkProductStores,
  "domain-notices": sendDomainNotices,
  "move-links-of-removed-domains": moveLinksOfRemovedDomains,
  "order-certificates": orderCertificates,
  "purge-expired-links": purgeExpiredLinks,
  "purge-old-rows": purgeOldRows,
  "read-earnings": readReports,
  "read-exchange-rates": readExchangeRates,
  "rebuild-redirects": rebuildRedirects,
  "send-abuse-report-notices": sendAbuseReportNotices,
  "send-webhooks": sendWebhooks,
  "send-weekly-emails": sendWeeklyEmails,
  "sweep-earnings": sweepEarnings,
  "sweep-products": sweepProducts,
  "update-hosts": updateHosts,
  "update-link-health": updateLinkHealth,
};

export function createJobs(app: App): { jobs: JobCatalogue; handlers: JobHandlers<JobCatalogue> } {
  const queued = Object.entries<Handler<never>>(FUNCTIONS).map(([name, job]) => [name, job.bind(null, app)] as const);
  const rounds = DUE_KINDS.map((name) => {
    const { everyMs, atOnce } = KINDS[name];
    const schedule = { everyMs, isAlone: atOnce === undefined };
    return [name, defineJob({ payload: z.strictObject({}), attempts: 1, backoffMs: 0, schedule })] as const;
  });
  const work = DUE_KINDS.map((name) => {
    const round = (_payload: unknown, { signal }: JobContext) => workOff(app, name, KINDS[name], signal);
    return [name, round] as const;
  });
  return {
    jobs: { ...JOBS, ...Object.fromEntries(rounds) },
    handlers: Object.fromEntries([...queued, ...work]) as JobHandlers<JobCatalogue>,
  };
}
