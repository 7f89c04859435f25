import type { ClickReader } from "@tapthru/core/clicks/click-reader";
import type { CertificateKeys, Cipher, WebhookSecrets } from "@tapthru/core/platform/cipher";
import type { JobProducer } from "@tapthru/core/platform/jobs/producer";
import type { Logger } from "@tapthru/core/platform/logger";
import type { RedirectStore } from "@tapthru/core/platform/redis/redirect-store";
import type { RequestRedis } from "@tapthru/core/platform/redis/redis";
import type { DomainProbe } from "@tapthru/core/platform/safe-fetch/domain-probe";
import type { SafeFetch } from "@tapthru/core/platform/safe-fetch/safe-fetch";
import type { PostWebhook } from "@tapthru/core/platform/safe-fetch/webhook-fetch";
import type { JOBS } from "@tapthru/proto/jobs/catalogue";
import type { CommonQueryMethods } from "slonik";
import type { FindAccount } from "./acme/account.ts";
import type { Authority } from "./acme/authority.ts";
import type { Mailer } from "./emails/mailer.ts";
import type { DomainDns } from "./jobs/check-domains/look-up.ts";
import type { Projection } from "./jobs/projection.ts";
import type { MetadataSource } from "./jobs/scrape-metadata/source.ts";
import type { Metrics } from "./metrics.ts";

export interface App extends Metrics {
  db: CommonQueryMethods;
  logger: Logger;
  publicBaseUrl: string;
  productName: string;
  contactEmail: string;
  auditLogDays: number;
  jobs: JobProducer<typeof JOBS>;
  queue: RequestRedis;
  redirectStore: RedirectStore;
  projection: Projection;
  /** Null if no page is read. */
  metadataSource: MetadataSource | null;
  /** Null if no exchange rates are read. */
  fetchRates: SafeFetch | null;
  /** Null if no webhooks are sent. */
  webhookSecrets: WebhookSecrets | null;
  postWebhook: PostWebhook;
  /** Both are null where no emails are sent. */
  mailer: Mailer | null;
  emailCipher: Cipher | null;
  /** Null without TLS=on: this site has no own domains, and orders no certificates. */
  domains: OwnDomains | null;
  clicksKeptMonths: number;
  clickReader: ClickReader;
}

export interface Stoppable {
  signal: AbortSignal;
}

export interface OwnDomains {
  siteHost: string;
  /** False without https in PUBLIC_BASE_URL. */
  siteNeedsCertificate: boolean;
  dns: DomainDns;
  probe: DomainProbe;
  authority: Authority;
  findAccount: FindAccount;
  certificateKeys: CertificateKeys;
}
