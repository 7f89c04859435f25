import { linkEvents } from "@tapthru/core/events";
import { randomShortCode } from "@tapthru/core/links/short-code";
import { followNewCodes, insertLinkChanges, retireDeletedLinks } from "@tapthru/core/outbox";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { type FragmentSqlToken, sql } from "slonik";
import * as z from "zod/mini";
import type { App } from "../app.ts";
import { dueKind } from "../due.ts";

const BATCH = 500;
/** Batches of one call of `releaseDomain`, which a check of the domain waits for. */
const RELEASE_BATCHES = 20;

// As in the indexes links_domain_idx and link_codes_domain_idx.
const isOnDomain = (table: string) => {
  const code = sql.identifier([table, "short_code"]);
  return sql.fragment`position('@' IN ${code}) > 0`;
};
const hostOf = (table: string) => sql.fragment`split_part(${sql.identifier([table, "short_code"])}, '@', 2)`;

/** Gives links, also deleted ones, a code on the site's own host if their domain is off or no longer their owner's. Idempotent. */
export const moveLinksOfRemovedDomains = dueKind({
  everyMs: 10_000,
  claim: findFormerOwners,
  keyOf: ({ host, userId }) => `${host} ${userId}`,
  async work({ db }, { host, userId, newOwnerId }, { signal }) {
    if (newOwnerId !== null) await releaseDomain(db, host, newOwnerId);
    else await moveLinks(db, host, sql.fragment`link.user_id = ${userId}`, { signal });
  },
});

/**
 * Before a domain goes to a user, and as long as it returns true: moves the links of others to the site's own host, and retires
 * all their codes on the domain, current and earlier ones. The domain of an earlier owner must be off by then. Idempotent.
 * @returns whether codes of others are left
 */
export async function releaseDomain(
  db: Db<"any" | "one" | "oneFirst">,
  host: string,
  newOwnerId: number,
  maxBatches = RELEASE_BATCHES,
): Promise<boolean> {
  // The owner may have changed since the caller read it.
  const isOthers = sql.fragment`link.user_id IS DISTINCT FROM ${newOwnerId}
    AND EXISTS (SELECT FROM domain_owners WHERE host = ${host} AND user_id = ${newOwnerId})`;
  await moveLinks(db, host, isOthers, { maxBatches });
  for (let batch = 0; batch < maxBatches; batch++) {
    if ((await retireCodes(db, host, isOthers)) < BATCH) break;
  }
  return db.oneFirst(sql.type(z.object({ isLeft: z.boolean() }))`
    SELECT EXISTS (
      SELECT FROM all_links AS link WHERE ${isOnDomain("link")} AND ${hostOf("link")} = ${host} AND ${isOthers}
      UNION ALL
      SELECT FROM link_codes JOIN all_links AS link ON link.id = link_id
      WHERE ${isOnDomain("link_codes")} AND ${hostOf("link_codes")} = ${host} AND ${isOthers}
    ) AS "isLeft"
  `);
}

async function moveLinks(
  db: Db<"one">,
  host: string,
  isMoved: FragmentSqlToken,
  { signal, maxBatches = Number.POSITIVE_INFINITY }: { signal?: AbortSignal; maxBatches?: number },
): Promise<void> {
  for (let batch = 0; batch < maxBatches && !signal?.aborted; batch++) {
    const { found, moved } = await moveBatch(db, host, isMoved);
    // Links whose generated code is in use are moved by the next batch.
    if (found < BATCH || moved === 0) return;
  }
}

const FormerOwner = z.object({
  host: z.string(),
  userId: z.int(),
  newOwnerId: z.nullable(z.int()),
});

/**
 * Hosts and owners of links that the owner does not have as a domain, that are off, or that another user has. Reads one entry of the index
 * for each host and owner.
 */
function findFormerOwners({ db }: Pick<App, "db" | "logger">) {
  const entry = sql.fragment`
    SELECT ${hostOf("link")} AS host, user_id FROM all_links AS link
    WHERE ${isOnDomain("link")} AND user_id IS NOT NULL
  `;
  const order = sql.fragment`ORDER BY ${hostOf("link")}, user_id LIMIT 1`;
  return db.any(sql.type(FormerOwner)`
    WITH RECURSIVE pair AS (
      (${entry} ${order})
      UNION ALL
      SELECT next.* FROM pair CROSS JOIN LATERAL (
        ${entry} AND (${hostOf("link")}, user_id) > (pair.host, pair.user_id) ${order}
      ) AS next
    )
    SELECT pair.host, pair.user_id AS "userId", other.user_id AS "newOwnerId"
    FROM pair
    LEFT JOIN domains own USING (host, user_id)
    LEFT JOIN domains other ON other.host = pair.host AND other.user_id <> pair.user_id
      AND other.verified_at IS NOT NULL AND other.off_at IS NULL
    WHERE own.id IS NULL OR own.off_at IS NOT NULL OR other.id IS NOT NULL
  `);
}

const Batch = z.object({ found: z.int(), moved: z.int() });

/**
 * Gives links on a domain their last code on the site's own host, or a new one. The code before becomes an earlier code, whose
 * outbox row a trigger inserts.
 */
function moveBatch(db: Db<"one">, host: string, isMoved: FragmentSqlToken) {
  const newCodes = Array.from({ length: BATCH }, randomShortCode);
  return db.one(sql.type(Batch)`
    WITH locked AS MATERIALIZED (
      SELECT id, short_code FROM all_links AS link
      WHERE ${isOnDomain("link")} AND ${hostOf("link")} = ${host} AND ${isMoved}
      ORDER BY id LIMIT ${BATCH} FOR UPDATE
    ), numbered AS (
      SELECT locked.*, row_number() OVER (ORDER BY id) AS number FROM locked
    ), target AS MATERIALIZED (
      SELECT id, short_code AS earlier_code, coalesce(
        (
          SELECT code.short_code FROM link_codes code
          WHERE link_id = id AND NOT ${isOnDomain("code")} AND NOT code.is_untagged
          ORDER BY created_at DESC LIMIT 1
        ),
        (${sql.array(newCodes, "text")})[number]
      ) AS new_code
      FROM numbered
    ), free AS MATERIALIZED (
      SELECT * FROM target
      WHERE NOT EXISTS (SELECT FROM all_links WHERE short_code = new_code)
        AND NOT EXISTS (SELECT FROM retired_codes WHERE short_code = new_code)
        AND NOT EXISTS (
          SELECT FROM link_codes WHERE short_code = new_code AND link_id <> target.id
        )
    ), kept AS (
      INSERT INTO link_codes (short_code, link_id)
      SELECT earlier_code, id FROM free UNION ALL SELECT new_code, id FROM free
      ON CONFLICT DO NOTHING
    ), link AS (
      UPDATE all_links AS moved SET short_code = new_code, has_earlier_codes = true, revision = revision + 1
      FROM free WHERE moved.id = free.id
      RETURNING moved.id, moved.short_code, user_id, revision, earlier_code, deleted_at, ROW(moved.*)::links AS row
    ), event AS (
      SELECT id, short_code, user_id AS owner_id, jsonb_build_object('short_code', earlier_code) AS before,
        jsonb_build_object('short_code', short_code) AS after, row AS link
      FROM link WHERE deleted_at IS NULL
    ), ${linkEvents("link.changed")}, renamed AS (SELECT * FROM link), ${followNewCodes}, change AS (
      ${insertLinkChanges}
    )
    SELECT (SELECT count(*) FROM locked)::int AS found, (SELECT count(*) FROM link)::int AS moved
  `);
}

/** Retires earlier codes on a domain, so that they never open again. @returns how many */
function retireCodes(db: Db<"oneFirst">, host: string, isRetired: FragmentSqlToken) {
  return db.oneFirst(sql.type(z.object({ count: z.int() }))`
    WITH code AS MATERIALIZED (
      SELECT link_codes.short_code, revision FROM link_codes JOIN all_links AS link ON link.id = link_id
      WHERE ${isOnDomain("link_codes")} AND ${hostOf("link_codes")} = ${host} AND ${isRetired}
        AND link.short_code <> link_codes.short_code
      ORDER BY link_codes.short_code LIMIT ${BATCH} FOR UPDATE
    ), link AS (
      DELETE FROM link_codes USING code WHERE link_codes.short_code = code.short_code
      RETURNING code.short_code, code.revision + 1 AS revision, 'deleted' AS reason
    ), ${retireDeletedLinks}
    SELECT count(*)::int AS count FROM link
  `);
}
