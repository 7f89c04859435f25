import { actAsJob } from "@tapthru/core/platform/audit-log";
import type { JobProducer } from "@tapthru/core/platform/jobs/producer";
import type { JobHandlers } from "@tapthru/core/platform/jobs/workers";
import type { Logger } from "@tapthru/core/platform/logger";
import type { RedirectStore } from "@tapthru/core/platform/redis/redirect-store";
import type { JOBS } from "@tapthru/proto/jobs/catalogue";
import type { CommonQueryMethods } from "slonik";
import { type CheckDomainsDependencies, checkDomains } from "./jobs/check-domains/check-domains.ts";
import { checkProductStores } from "./jobs/check-product-stores.ts";
import {
  type CheckArrivalsDependencies,
  checkTagArrivals,
} from "./jobs/check-tag-arrivals/check-tag-arrivals.ts";
import { moveLinksOfRemovedDomains, releaseDomain } from "./jobs/move-links-of-removed-domains.ts";
import {
  type OrderDependencies,
  orderCertificates,
} from "./jobs/order-certificates/order-certificates.ts";
import type { Projection } from "./jobs/projection.ts";
import { propagateMetadata } from "./jobs/propagate-metadata.ts";
import { purgeExpiredLinks } from "./jobs/purge-expired-links.ts";
import { purgeOldRows } from "./jobs/purge-old-rows.ts";
import { readEarnings } from "./jobs/read-earnings/read-earnings.ts";
import { checkRedirects, rebuildRedirects } from "./jobs/rebuild-redirects.ts";
import { type MoveClicksDependencies, moveClicks } from "./jobs/roll-up-clicks/move-clicks.ts";
import { type ClickRetention, rollUpClicks } from "./jobs/roll-up-clicks/roll-up-clicks.ts";
import { type RunImportDependencies, runImport } from "./jobs/run-import/run-import.ts";
import type { CheckPageDependencies } from "./jobs/scrape-metadata/check-page/check-page.ts";
import { scrapeMetadata } from "./jobs/scrape-metadata/scrape-metadata.ts";
import type { MetadataSource } from "./jobs/scrape-metadata/source.ts";
import { type SendDigestsDependencies, sendDigests } from "./jobs/send-digests/send-digests.ts";
import { type SendEmailDependencies, sendEmail } from "./jobs/send-email.ts";
import { sendReportNotices } from "./jobs/send-report-notices.ts";
import { sweepEarnings } from "./jobs/sweep-earnings.ts";
import { sweepImports } from "./jobs/sweep-imports.ts";
import { sweepProducts } from "./jobs/sweep-products.ts";
import { updateStaleLinks } from "./jobs/update-link-health.ts";

interface Dependencies
  extends Omit<CheckDomainsDependencies, "db" | "logger" | "releaseDomain" | "jobs">,
    Omit<OrderDependencies, "db" | "logger">,
    Omit<RunImportDependencies, "db">,
    CheckPageDependencies,
    SendEmailDependencies,
    Omit<CheckArrivalsDependencies, "db" | "logger">,
    Omit<SendDigestsDependencies, "db" | "logger"> {
  logger: Logger;
  db: CommonQueryMethods;
  redirectStore: RedirectStore;
  projection: Projection;
  metadataSource: MetadataSource | null;
  jobs: JobProducer<typeof JOBS>;
  clickRetention: ClickRetention;
  auditLogDays: number;
  /** Null: clicks are in Postgres. */
  clickHouse: MoveClicksDependencies["clickHouse"] | null;
}

/** One handler for each job; a missing one is a compile error. */
export function createHandlers(deps: Dependencies): JobHandlers<typeof JOBS> {
  return {
    "check-domains": (_payload, { signal }) =>
      actAsJob("check-domains", () => checkDomains({ ...deps, releaseDomain }, signal)),
    "check-product-stores": (_payload, { signal }) => checkProductStores(deps, signal),
    "check-redirects": () => checkRedirects(deps),
    "check-tag-arrivals": (_payload, { signal }) => checkTagArrivals(deps, signal),
    "move-links-of-removed-domains": (_payload, { signal }) =>
      moveLinksOfRemovedDomains(deps, signal),
    "order-certificates": (_payload, { signal }) => orderCertificates(deps, signal),
    // Without an actor: of links that nobody owns nothing is kept.
    "purge-expired-links": (_payload, { signal }) => purgeExpiredLinks(deps, signal),
    "purge-old-rows": (_payload, { signal }) =>
      actAsJob("purge-old-rows", () => purgeOldRows(deps, signal)),
    "read-earnings": (payload, { signal }) => readEarnings(deps, payload, signal),
    "rebuild-redirects": (payload, context) => rebuildRedirects(deps, payload, context),
    "roll-up-clicks": (_payload, { signal }) =>
      deps.clickHouse === null
        ? rollUpClicks(deps, signal)
        : moveClicks({ ...deps, clickHouse: deps.clickHouse }, signal),
    "run-import": (payload, { signal }) =>
      actAsJob("run-import", () => runImport(deps, payload, signal)),
    "scrape-metadata": (attempt, context) => scrapeMetadata(deps, attempt, context),
    "send-digests": (_payload, { signal }) => sendDigests(deps, signal),
    "send-email": (payload) => sendEmail(deps, payload),
    "send-report-notices": (_payload, { signal }) => sendReportNotices(deps, signal),
    "propagate-metadata": (page, { signal }) => propagateMetadata(deps, page, signal),
    "sweep-earnings": (_payload, { signal }) => sweepEarnings(deps, signal),
    "sweep-imports": (_payload, { signal }) => sweepImports(deps, signal),
    "sweep-products": (_payload, { signal }) => sweepProducts(deps, signal),
    "update-link-health": (_payload, { signal }) => updateStaleLinks(deps, signal),
  };
}
