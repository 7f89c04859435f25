import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { milliseconds } from "@tapthru/core/platform/postgres/values";
import type { DomainProblem } from "@tapthru/proto/rules/domains";
import { sql } from "slonik";
import * as z from "zod/mini";
import type { Due } from "../../due.ts";
import { ORDER_TIMEOUT_MS } from "./acme/authority.ts";
import { ORDER_LIMITS } from "./order-rules.ts";

/** An order, and the checks before it. */
const LEASE_MS = ORDER_TIMEOUT_MS + 2 * 60_000;

const Nothing = z.object({});

const DueCertificate = z.object({
  host: z.string(),
  isSite: z.boolean(),
  chain: z.nullable(z.string()),
  issuedAt: z.nullable(z.number()),
  notAfter: z.nullable(z.number()),
  failedOrders: z.int(),
  domainId: z.nullable(z.int()),
});
export type DueCertificate = z.infer<typeof DueCertificate>;

const worksFor = (host: string) => sql.fragment`
  SELECT id FROM domains WHERE domains.host = ${sql.identifier([host, "host"])}
    AND verified_at IS NOT NULL AND off_at IS NULL AND failing_since IS NULL
`;

/**
 * Claims the hosts whose orders are most urgent: the site's own, certificates that end soon, hosts without one, renewals. Until the
 * lease ends no other worker orders them.
 */
export function claimOrders(db: Db<"any">, { limit, isNotQuarantined }: Due) {
  return db.any(sql.type(DueCertificate)`
    WITH due AS (
      SELECT certificate.host, domain.id FROM certificates AS certificate
      LEFT JOIN LATERAL (${worksFor("certificate")}) AS domain ON true
      WHERE order_at <= now() AND ${isNotQuarantined(sql.fragment`certificate.host`)}
        AND (is_site OR domain.id IS NOT NULL)
      ORDER BY is_site DESC, coalesce(not_after < now() + interval '7 days', false) DESC,
        chain IS NULL DESC, order_at
      LIMIT ${limit} FOR NO KEY UPDATE OF certificate SKIP LOCKED
    )
    UPDATE certificates AS certificate SET order_at = now() + ${milliseconds(LEASE_MS)}
    FROM due WHERE certificate.host = due.host
    RETURNING certificate.host, is_site AS "isSite", chain, issued_at AS "issuedAt", not_after AS "notAfter",
      failed_orders AS "failedOrders", due.id AS "domainId"
  `);
}

/** One transaction at a time. @returns false if the limits of the authority are used up */
export function reserveOrder(db: Db<"transaction">, registeredDomain: string, isSite: boolean): Promise<boolean> {
  const { ofAccount, ofRegisteredDomain } = ORDER_LIMITS;
  return db.transaction(async (transaction) => {
    await transaction.query(sql.type(Nothing)`
      SELECT pg_advisory_xact_lock(hashtext('certificate_orders'))
    `);
    const { rowCount } = await transaction.query(sql.type(Nothing)`
      INSERT INTO certificate_orders (registered_domain)
      SELECT ${registeredDomain} WHERE (
        SELECT count(*) FROM certificate_orders
        WHERE ordered_at > now() - ${milliseconds(ofAccount.periodMs)}
      ) < ${ofAccount.count} AND (${isSite} OR (
        SELECT count(*) FROM certificate_orders
        WHERE ordered_at > now() - ${milliseconds(ofRegisteredDomain.periodMs)}
          AND registered_domain = ${registeredDomain}
      ) < ${ofRegisteredDomain.count})
    `);
    return rowCount === 1;
  });
}

interface Issued {
  chain: string;
  encryptedKey: string;
  /** Unix milliseconds. */
  notAfter: number;
  renewAt: number;
}

/** Gateways copy it from now on. The domain is checked by https then. */
export async function storeCertificate(
  db: Db<"query">,
  host: string,
  { chain, encryptedKey, notAfter, renewAt }: Issued,
  checkDelayMs: number,
): Promise<void> {
  await db.query(sql.type(Nothing)`
    WITH stored AS (
      UPDATE certificates SET chain = ${chain}, encrypted_key = ${encryptedKey},
        not_after = ${sql.timestamp(new Date(notAfter))}, issued_at = now(),
        order_at = ${sql.timestamp(new Date(renewAt))}, renewal_checked_at = now(),
        failed_orders = 0, problem = NULL
      WHERE host = ${host}
    )
    UPDATE domains SET next_check_at = now() + ${milliseconds(checkDelayMs)},
      reported_at = CASE WHEN failing_since IS NULL THEN NULL ELSE reported_at END,
      notice_due = notice_due AND failing_since IS NOT NULL
    WHERE host = ${host} AND verified_at IS NOT NULL AND off_at IS NULL
  `);
}

/** @param isFailure whether the authority refused it; otherwise it was not ordered */
export async function postponeOrder(
  db: Db<"query">,
  host: string,
  { problem, delayMs, isFailure }: { problem: DomainProblem; delayMs: number; isFailure: boolean },
): Promise<void> {
  await db.query(sql.type(Nothing)`
    UPDATE certificates SET problem = ${problem}, order_at = now() + ${milliseconds(delayMs)},
      failed_orders = failed_orders + ${isFailure ? 1 : 0}
    WHERE host = ${host}
  `);
}

export async function updateHosts(db: Db<"query">, siteHost: string | null): Promise<void> {
  await db.query(sql.type(Nothing)`
    UPDATE certificates SET is_site = false WHERE is_site AND host IS DISTINCT FROM ${siteHost}
  `);
  if (siteHost !== null) {
    await db.query(sql.type(Nothing)`
      INSERT INTO certificates (host, is_site) VALUES (${siteHost}, true)
      ON CONFLICT (host) DO UPDATE SET is_site = true WHERE NOT certificates.is_site
    `);
  }
  await db.query(sql.type(Nothing)`
    DELETE FROM certificates WHERE NOT is_site AND order_at < now()
      AND NOT EXISTS (SELECT FROM domains WHERE domains.host = certificates.host)
  `);
}

const Renewable = z.object({ host: z.string(), chain: z.string() });
export type Renewable = z.infer<typeof Renewable>;

/** Claims certificates about which the authority was not asked for six hours; two requests for each take less than ten minutes. */
export function claimRenewalChecks(db: Db<"any">, { limit, isNotQuarantined }: Due) {
  return db.any(sql.type(Renewable)`
    WITH due AS (
      SELECT host FROM certificates
      WHERE chain IS NOT NULL AND order_at > now() AND renewal_checked_at < now() - interval '6 hours'
        AND ${isNotQuarantined(sql.fragment`certificates.host`)}
      ORDER BY renewal_checked_at LIMIT ${limit} FOR NO KEY UPDATE SKIP LOCKED
    )
    UPDATE certificates SET renewal_checked_at = now() - interval '5 hours 50 minutes' FROM due
    WHERE certificates.host = due.host RETURNING certificates.host, chain
  `);
}

/** Makes the renewal of this chain earlier, never later. @param at null: the authority says nothing */
export async function storeRenewalCheck(db: Db<"query">, { host, chain }: Renewable, at: number | null): Promise<void> {
  await db.query(sql.type(Nothing)`
    UPDATE certificates SET renewal_checked_at = now(),
      order_at = least(order_at, ${at === null ? null : sql.timestamp(new Date(at))})
    WHERE host = ${host} AND chain = ${chain}
  `);
}
