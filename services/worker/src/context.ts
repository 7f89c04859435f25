import { createClickReader } from "@tapthru/core/clicks/click-reader";
import { createCertificateKeys, createCipher, createWebhookSecrets } from "@tapthru/core/platform/cipher";
import type { Config } from "@tapthru/core/platform/config/configs";
import { registerFailedItems } from "@tapthru/core/platform/failed-items";
import { createJobProducer } from "@tapthru/core/platform/jobs/producer";
import { registerQueueMemory } from "@tapthru/core/platform/jobs/queue-memory";
import type { Component } from "@tapthru/core/platform/lifecycle";
import type { Logger } from "@tapthru/core/platform/logger";
import { createMetrics } from "@tapthru/core/platform/metrics/metrics";
import { registerPostgresMetrics } from "@tapthru/core/platform/postgres/metrics";
import { POOL_SIZES } from "@tapthru/core/platform/postgres/pool-sizes";
import { createPostgres, type Postgres } from "@tapthru/core/platform/postgres/postgres";
import { registerRedisMetrics } from "@tapthru/core/platform/redis/metrics";
import { createRedirectStore } from "@tapthru/core/platform/redis/redirect-store";
import { createRequestRedis } from "@tapthru/core/platform/redis/redis";
import { createDomainProbe } from "@tapthru/core/platform/safe-fetch/domain-probe";
import { createSafeFetch, userAgentFor } from "@tapthru/core/platform/safe-fetch/safe-fetch";
import { createPostWebhook } from "@tapthru/core/platform/safe-fetch/webhook-fetch";
import { JOBS } from "@tapthru/proto/jobs/catalogue";
import type { Registry } from "prom-client";
import { sql } from "slonik";
import * as z from "zod/mini";
import { createAccounts } from "./acme/account.ts";
import { createAuthority } from "./acme/authority.ts";
import type { App, OwnDomains } from "./app.ts";
import { createMailer, type Mailer } from "./emails/mailer.ts";
import { createDomainDns } from "./jobs/check-domains/look-up.ts";
import { createProjection } from "./jobs/projection.ts";
import { chooseMetadataSource, countReadOutcomes } from "./jobs/scrape-metadata/choose-source.ts";
import type { CreatorsCredentials } from "./jobs/scrape-metadata/creators-api-source.ts";
import { registerMetrics } from "./metrics.ts";

/** How long one batch of records or jobs may take; after that Redis counts as unavailable. */
const REDIS_BUDGET_MS = 2_000;
const POSTGRES_LIMITS = {
  maxConnections: POOL_SIZES.worker,
  statementTimeoutMs: 10_000,
  acquireTimeoutMs: 5_000,
};

export interface Context extends App {
  registry: Registry;
  /** They must be closed after everything that uses them. */
  clients: Component[];
  /** Rejects while Postgres is unavailable; every job needs it. */
  ping(): Promise<unknown>;
  /** The dependency that the service waits for before its first job; null if ready. */
  readinessReason(): string | null;
}

/** Creates the clients from the configuration. Redis and Postgres may be unavailable. */
export function createContext(config: Config<"worker">, logger: Logger): Context {
  const registry = createMetrics(config.TAPTHRU_VERSION);
  const db = createPostgres({
    url: config.DATABASE_URL,
    applicationName: "tapthru-worker",
    ...POSTGRES_LIMITS,
    logger,
  });
  const redisOf = (name: string, url: string) => createRequestRedis({ url, name, budgetMs: REDIS_BUDGET_MS, logger });
  const cache = redisOf("cache", config.REDIS_CACHE_URL);
  const queue = redisOf("queue", config.REDIS_QUEUE_URL);
  const egress = { standInUrl: config.EGRESS_STAND_IN_URL, userAgent: userAgentFor(config) };
  const safeFetch = createSafeFetch(egress);
  const metadataSource = chooseMetadataSource({
    safeFetch,
    credentials: creatorsCredentialsOf(config),
    fetchesPages: config.METADATA_PAGE_FETCH === "on",
  });
  registerPostgresMetrics(registry, db);
  registerRedisMetrics(registry, [cache, queue]);
  registerQueueMemory(registry, queue);
  registerFailedItems(registry, { db, logger });

  return {
    ...registerMetrics(registry, { db, logger }),
    db,
    redirectStore: createRedirectStore(cache, logger),
    projection: createProjection(cache),
    jobs: createJobProducer({ jobs: JOBS, redis: queue, logger }),
    metadataSource: metadataSource && countReadOutcomes(metadataSource, registry),
    fetchRates: config.EXCHANGE_RATES === "on" ? safeFetch : null,
    publicBaseUrl: config.PUBLIC_BASE_URL,
    postWebhook: createPostWebhook({ ...egress, allowsLocal: config.TAPTHRU_ENV === "local" }),
    webhookSecrets: config.WEBHOOK_KEYS && createWebhookSecrets(config.WEBHOOK_KEYS),
    mailer: mailerOf(config, registry),
    emailCipher: config.ENCRYPTION_KEYS && createCipher(config.ENCRYPTION_KEYS),
    domains: domainsOf(config, db, logger),
    productName: config.PRODUCT_NAME,
    contactEmail: config.CONTACT_EMAIL,
    queue,
    clickReader: createClickReader(db),
    auditLogDays: config.AUDIT_LOG_DAYS,
    clicksKeptMonths: config.CLICKS_KEPT_MONTHS,
    logger,
    registry,
    clients: [cache, queue, db],
    ping: () => db.query(sql.type(z.object({}))`SELECT`),
    readinessReason: () => (db.wasReached ? null : "Postgres has not been reached yet"),
  };
}

function mailerOf(
  { SMTP_URL, SMTP_FROM, PRODUCT_NAME, TAPTHRU_ENV }: Config<"worker">,
  registry: Registry,
): Mailer | null {
  if (SMTP_URL === null || SMTP_FROM === null) return null;
  return createMailer({
    url: SMTP_URL,
    from: { name: PRODUCT_NAME, address: SMTP_FROM },
    requiresTls: TAPTHRU_ENV !== "local",
    registry,
  });
}

function domainsOf(config: Config<"worker">, db: Postgres, logger: Logger): OwnDomains | null {
  const { ENCRYPTION_KEYS, PUBLIC_BASE_URL, DNS_SERVERS, ACME_DIRECTORY_URL: directoryUrl } = config;
  if (config.TLS === "off" || ENCRYPTION_KEYS === null) return null;
  const site = new URL(PUBLIC_BASE_URL);
  const certificateKeys = createCertificateKeys(ENCRYPTION_KEYS);
  const authority = createAuthority(directoryUrl);
  return {
    siteHost: site.hostname,
    siteNeedsCertificate: site.protocol === "https:",
    dns: createDomainDns(DNS_SERVERS),
    probe: createDomainProbe({
      userAgent: userAgentFor(config),
      nameServers: DNS_SERVERS,
      localPorts: config.LOCAL_GATEWAY_PORTS,
    }),
    authority,
    findAccount: createAccounts({ db, directoryUrl, email: config.TLS_EMAIL, certificateKeys, authority, logger }),
    certificateKeys,
  };
}

function creatorsCredentialsOf({
  AMAZON_CREATORS_CLIENT_ID: clientId,
  AMAZON_CREATORS_CLIENT_SECRET: clientSecret,
  AMAZON_CREATORS_VERSION: version,
  AMAZON_CREATORS_PARTNER_TAGS: partnerTags,
}: Config<"worker">): CreatorsCredentials | null {
  return clientId && clientSecret && version && partnerTags ? { clientId, clientSecret, version, partnerTags } : null;
}
