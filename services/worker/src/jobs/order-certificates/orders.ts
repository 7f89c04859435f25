import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { milliseconds } from "@tapthru/core/platform/postgres/values";
import type { DomainProblem } from "@tapthru/proto/rules/domains";
import { sql } from "slonik";
import * as z from "zod/mini";
import { ORDER_TIMEOUT_MS } from "../../acme/authority.ts";
import type { Due } from "../../due.ts";
import { reported } from "../check-domains/report-problem.ts";
import { ORDER_LIMITS } from "./order-rules.ts";

/** An order, and the checks before it. */
const LEASE_MS = ORDER_TIMEOUT_MS + 2 * 60_000;

const Nothing = z.object({});

const DueCertificate = z.object({
  host: z.string(),
  isSite: z.boolean(),
  isRenewal: z.boolean(),
  failedOrders: z.int(),
});
export type DueCertificate = z.infer<typeof DueCertificate>;

/**
 * Claims the hosts whose orders are most urgent: the site's own, certificates that end soon, hosts without one, renewals. Until the
 * lease ends no other worker orders them.
 */
export function claimOrders(db: Db<"any">, { limit, isNotQuarantined }: Due) {
  return db.any(sql.type(DueCertificate)`
    WITH due AS (
      SELECT host FROM certificates AS certificate
      WHERE order_at <= now() AND ${isNotQuarantined(sql.fragment`certificate.host`)}
        AND (is_site OR EXISTS (
          SELECT FROM domains WHERE domains.host = certificate.host
            AND verified_at IS NOT NULL AND off_at IS NULL AND failing_since IS NULL
        ))
      ORDER BY is_site DESC, coalesce(not_after < now() + interval '7 days', false) DESC,
        chain IS NULL DESC, order_at
      LIMIT ${limit} FOR NO KEY UPDATE SKIP LOCKED
    )
    UPDATE certificates AS certificate SET order_at = now() + ${milliseconds(LEASE_MS)}
    FROM due WHERE certificate.host = due.host
    RETURNING certificate.host, is_site AS "isSite", chain IS NOT NULL AS "isRenewal", failed_orders AS "failedOrders"
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
        order_at = ${sql.timestamp(new Date(renewAt))}, failed_orders = 0, problem = NULL
      WHERE host = ${host}
    )
    UPDATE domains SET next_check_at = now() + ${milliseconds(checkDelayMs)},
      reported_at = CASE WHEN failing_since IS NULL THEN NULL ELSE reported_at END,
      notice_due = notice_due AND failing_since IS NOT NULL
    WHERE host = ${host} AND verified_at IS NOT NULL AND off_at IS NULL
  `);
}

/**
 * Reports the problem to the owner of the host if a certificate is about to end: seven days or a sixth of its life are left.
 * @param isFailure whether the authority refused it; otherwise it was not ordered
 */
export async function postponeOrder(
  db: Db<"query">,
  host: string,
  { problem, delayMs, isFailure }: { problem: DomainProblem; delayMs: number; isFailure: boolean },
): Promise<void> {
  const which = sql.fragment`verified_at IS NOT NULL AND off_at IS NULL AND host = (
    SELECT host FROM postponed WHERE not_after - now() < least(interval '7 days', (not_after - issued_at) / 6)
  )`;
  const times = { since: sql.fragment`now()`, offAt: sql.fragment`(SELECT not_after FROM postponed)` };
  await db.query(sql.type(Nothing)`
    WITH postponed AS (
      UPDATE certificates SET problem = ${problem}, order_at = now() + ${milliseconds(delayMs)},
        failed_orders = failed_orders + ${isFailure ? 1 : 0}
      WHERE host = ${host} RETURNING host, not_after, issued_at
    ), ${reported(problem, which, times)}
    SELECT
  `);
}

/** @param siteHost the site's host if it needs a certificate */
export async function updateHosts(db: Db<"query">, siteHost: string | null): Promise<void> {
  await db.query(sql.type(Nothing)`
    WITH site AS (
      INSERT INTO certificates (host, is_site) SELECT host, true FROM unnest(ARRAY[${siteHost}::text]) AS host
      WHERE host IS NOT NULL
      ON CONFLICT (host) DO UPDATE SET is_site = true WHERE NOT certificates.is_site
    ), earlier AS (
      UPDATE certificates SET is_site = false WHERE is_site AND host IS DISTINCT FROM ${siteHost}
    )
    DELETE FROM certificates WHERE NOT is_site AND order_at < now() AND host IS DISTINCT FROM ${siteHost}
      AND NOT EXISTS (SELECT FROM domains WHERE domains.host = certificates.host)
  `);
}
