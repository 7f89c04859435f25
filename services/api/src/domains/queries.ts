import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { countUpTo } from "@tapthru/core/platform/postgres/values";
import { DnsRecord, domainNotFound, domainNotUsable } from "@tapthru/proto/domains";
import { DOMAIN_PROBLEMS } from "@tapthru/proto/rules/domains";
import { COUNTED_LINKS_MAX } from "@tapthru/proto/rules/limits";
import { type FragmentSqlToken, sql } from "slonik";
import * as z from "zod/mini";
import { ApiError } from "../http/errors.ts";

const OPERATOR_DOMAINS_MAX_COUNT = 500;

/** Reads a problem that this release does not know as null. */
const problem = z.catch(z.nullable(z.enum(DOMAIN_PROBLEMS)), null);
/** Unix milliseconds. */
const time = z.nullable(z.number());

export const DomainRow = z.object({
  id: z.int(),
  host: z.string(),
  proof: z.string(),
  isDefault: z.boolean(),
  hsts: z.boolean(),
  createdAt: z.number(),
  verifiedAt: time,
  offAt: time,
  problem,
  seen: z.catch(z.nullable(z.array(DnsRecord)), null),
  checkedAt: time,
  failingSince: time,
  certificateExpiresAt: time,
  certificateProblem: problem,
  rootUrl: z.nullable(z.string()),
});
export type DomainRow = z.infer<typeof DomainRow>;

const CountedDomainRow = z.extend(DomainRow, {
  linkCount: z.int(),
});
export type CountedDomainRow = z.infer<typeof CountedDomainRow>;

const domainColumns = sql.fragment`
  domain.id, domain.host, proof, is_default AS "isDefault", hsts, domain.created_at AS "createdAt",
  verified_at AS "verifiedAt", off_at AS "offAt", domain.problem, seen, checked_at AS "checkedAt",
  failing_since AS "failingSince", certificate.not_after AS "certificateExpiresAt",
  certificate.problem AS "certificateProblem",
  (
    SELECT link_url(links, original_url) FROM links
    WHERE id = find_link_id('@' || domain.host) AND user_id = domain.user_id
  ) AS "rootUrl"
`;

const linkCount = sql.fragment`
  ${countUpTo(
    COUNTED_LINKS_MAX,
    sql.fragment`
    links WHERE split_part(short_code, '@', 2) = domain.host AND position('@' IN short_code) > 0
      AND user_id = domain.user_id
  `,
  )} AS "linkCount"
`;

export function findDomains(db: Db<"any">, userId: number) {
  return db.any(sql.type(CountedDomainRow)`
    SELECT ${domainColumns}, ${linkCount} FROM domains domain LEFT JOIN certificates certificate USING (host)
    WHERE user_id = ${userId} ORDER BY domain.host
  `);
}

/** Returns null if the user has no such domain. */
export function countDomainLinks(db: Db<"maybeOneFirst">, { userId, host }: DomainRef) {
  return db.maybeOneFirst(sql.type(z.pick(CountedDomainRow, { linkCount: true }))`
    SELECT ${linkCount} FROM domains domain WHERE user_id = ${userId} AND host = ${host}
  `);
}

export interface DomainRef {
  userId: number;
  host: string;
}

function findDomain(db: Db<"maybeOne">, { userId, host }: DomainRef) {
  return db.maybeOne(sql.type(DomainRow)`
    SELECT ${domainColumns} FROM domains domain LEFT JOIN certificates certificate USING (host)
    WHERE user_id = ${userId} AND domain.host = ${host}
  `);
}

const OwnedDomainRow = z.extend(CountedDomainRow, {
  ownerId: z.int(),
  ownerName: z.string(),
  nextCheckAt: z.number(),
});
export type OwnedDomainRow = z.infer<typeof OwnedDomainRow>;

function ownedDomains(condition: FragmentSqlToken) {
  return sql.type(OwnedDomainRow)`
    SELECT ${domainColumns}, ${linkCount}, users.id AS "ownerId", username AS "ownerName", next_check_at AS "nextCheckAt"
    FROM domains domain JOIN users ON users.id = domain.user_id
    LEFT JOIN certificates certificate USING (host)
    ${condition}
  `;
}

export function findAllDomains(db: Db<"any">, text: string) {
  return db.any(
    ownedDomains(sql.fragment`
      WHERE strpos(domain.host, ${text}) > 0 OR strpos(lower(username), ${text}) > 0
      ORDER BY num_nonnulls(domain.problem, certificate.problem, failing_since, off_at) = 0, domain.host, users.id
      LIMIT ${OPERATOR_DOMAINS_MAX_COUNT}
    `),
  );
}

export function findDomainWithOwner(db: Db<"maybeOne">, { userId, host }: DomainRef) {
  return db.maybeOne(ownedDomains(sql.fragment`WHERE domain.user_id = ${userId} AND domain.host = ${host}`));
}

const nothing = z.object({});

/** Also if checks of it failed and it is quarantined. */
export async function setNextCheck(db: Db<"query">, { userId, host }: DomainRef) {
  await db.query(sql.type(nothing)`
    WITH domain AS (
      UPDATE domains SET next_check_at = now() WHERE user_id = ${userId} AND host = ${host} RETURNING id
    )
    UPDATE failed_items SET retry_at = now() FROM domain
    WHERE kind = 'check-domains' AND key = domain.id::text
  `);
}

/** @throws ApiError (domain-not-found), also for domains of other users */
export async function requireDomain(db: Db<"maybeOne">, ref: DomainRef): Promise<DomainRow> {
  const row = await findDomain(db, ref);
  if (row === null) throw new ApiError(domainNotFound);
  return row;
}

/** @throws ApiError (domain-not-usable) */
export function requireUsable({ verifiedAt, offAt }: DomainRow): void {
  if (verifiedAt === null || offAt !== null) throw new ApiError(domainNotUsable);
}
