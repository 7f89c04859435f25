import { changed, deleted } from "@tapthru/core/events";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { milliseconds } from "@tapthru/core/platform/postgres/values";
import type { DomainProblem } from "@tapthru/proto/rules/domains";
import { type FragmentSqlToken, sql } from "slonik";
import * as z from "zod/mini";
import type { Due } from "../../due.ts";
import { registeredDomain } from "./decide-check.ts";

const Nothing = z.object({});
const time = z.nullable(z.number());

const DueDomain = z.object({
  id: z.int(),
  userId: z.int(),
  host: z.string(),
  proof: z.string(),
  createdAt: z.number(),
  verifiedAt: time,
  offAt: time,
  failingSince: time,
  reportedAt: time,
  issuedAt: time,
});
export type DueDomain = z.infer<typeof DueDomain>;

export function claimDueDomains(db: Db<"any">, { limit, isNotQuarantined }: Due) {
  return db.any(sql.type(DueDomain)`
    WITH due AS (
      SELECT id FROM domains
      WHERE next_check_at <= now() AND ${isNotQuarantined(sql.fragment`domains.id`)}
      ORDER BY next_check_at LIMIT ${limit} FOR NO KEY UPDATE SKIP LOCKED
    )
    UPDATE domains AS domain SET next_check_at = now() + interval '1 minute'
    FROM due WHERE domain.id = due.id
    RETURNING domain.id, user_id AS "userId", host, proof, created_at AS "createdAt",
      verified_at AS "verifiedAt", off_at AS "offAt", failing_since AS "failingSince",
      reported_at AS "reportedAt",
      (SELECT issued_at FROM certificates WHERE host = domain.host) AS "issuedAt"
  `);
}

/** Returns true if another user has, had or wants a host of the same registered domain: a wildcard record leads here for all of them. */
export function isContested(
  db: Db<"oneFirst">,
  { host, userId }: Pick<DueDomain, "host" | "userId">,
): Promise<boolean> {
  const pattern = `${Array.from(`.${registeredDomain(host)}`)
    .reverse()
    .join("")}%`;
  return db.oneFirst(sql.type(z.object({ isContested: z.boolean() }))`
    SELECT EXISTS (
      SELECT FROM domain_owners WHERE reverse('.' || host) LIKE ${pattern} AND user_id <> ${userId}
      UNION ALL
      SELECT FROM domains WHERE reverse('.' || host) LIKE ${pattern} AND user_id <> ${userId}
    ) AS "isContested"
  `);
}

interface Check {
  problem: DomainProblem | null;
  seen: readonly object[];
  failingSince: number | null;
  isOff: boolean;
  delayMs: number;
}

export async function storeCheck(
  db: Db<"query">,
  id: number,
  { problem, seen, failingSince, isOff, delayMs }: Check,
): Promise<void> {
  await changeDomains(
    db,
    sql.fragment`id = ${id}`,
    sql.fragment`problem = ${problem}, seen = ${sql.jsonb([...seen])}, checked_at = now(),
      failing_since = ${failingSince === null ? null : sql.timestamp(new Date(failingSince))},
      off_at = CASE WHEN ${isOff} THEN coalesce(off_at, now()) ELSE off_at END,
      reported_at = CASE WHEN ${failingSince === null} AND failing_since IS NOT NULL THEN NULL ELSE reported_at END,
      next_check_at = now() + ${milliseconds(delayMs)}`,
  );
}

/** Turns the host off for an earlier owner, who needs another proof to get it back. */
export async function takeOver(
  db: Db<"query">,
  { host, id, userId }: Pick<DueDomain, "host" | "id" | "userId">,
): Promise<void> {
  await changeDomains(
    db,
    sql.fragment`host = ${host} AND id <> ${id} AND verified_at IS NOT NULL AND off_at IS NULL`,
    sql.fragment`off_at = now(), failing_since = NULL, problem = 'proof-missing',
      proof = replace(gen_random_uuid()::text, '-', ''), next_check_at = now()`,
    sql.fragment`owner AS (
      INSERT INTO domain_owners (host, user_id) VALUES (${host}, ${userId})
      ON CONFLICT (host) DO UPDATE SET user_id = excluded.user_id
    ), `,
  );
}

/** @param ctes what else the statement does */
async function changeDomains(
  db: Db<"query">,
  which: FragmentSqlToken,
  changes: FragmentSqlToken,
  ctes = sql.fragment``,
): Promise<void> {
  await db.query(sql.type(Nothing)`
    WITH ${ctes}${changed("domain.changed", which)`${changes}`} SELECT
  `);
}

/** @returns false if another user got the host meanwhile, or this one removed it */
export async function verifyDomain(
  db: Db<"maybeOneFirst">,
  { id, host, userId }: Pick<DueDomain, "id" | "host" | "userId">,
  seen: readonly object[],
): Promise<boolean> {
  const verified = await db.maybeOneFirst(sql.type(z.object({ id: z.int() }))`
    WITH ${changed(
      "domain.changed",
      sql.fragment`id = ${id} AND NOT EXISTS (
        SELECT FROM domains WHERE host = ${host} AND id <> ${id} AND verified_at IS NOT NULL AND off_at IS NULL
      )`,
    )`verified_at = now(), off_at = NULL, failing_since = NULL, reported_at = NULL,
      problem = NULL, seen = ${sql.jsonb([...seen])}, checked_at = now(),
      next_check_at = now() + ${milliseconds(60 * 60_000)}`}, owner AS (
      INSERT INTO domain_owners (host, user_id) SELECT ${host}, ${userId} FROM object
      ON CONFLICT (host) DO UPDATE SET user_id = excluded.user_id
    ), certificate AS (
      INSERT INTO certificates (host) SELECT ${host} FROM object
      ON CONFLICT (host) DO UPDATE SET order_at = now() WHERE certificates.chain IS NULL
    )
    SELECT id FROM object
  `);
  return verified !== null;
}

export async function deleteUnverified(db: Db<"query">, id: number): Promise<void> {
  await db.query(sql.type(Nothing)`
    WITH ${deleted("domain.deleted")`id = ${id} AND verified_at IS NULL`} SELECT
  `);
}
