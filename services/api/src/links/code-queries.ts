import { insertLinkChanges } from "@tapthru/core/outbox";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { CODES_PER_LINK_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { sql } from "slonik";
import * as z from "zod/mini";
import { RecordedLinkRow, recordedLinkColumns } from "./link-row.ts";

export interface CodeChange {
  userId: number;
  /** The current code of the link, or an earlier one. */
  shortCode: string;
  /** The new code. */
  code: string;
}

const LinkCode = z.object({ id: z.int(), shortCode: z.string() });

/** The codes of those of the links that the user owns. */
export function findCodes(
  db: Db<"any">,
  { userId, ids }: { userId: number; ids: readonly number[] },
) {
  return db.any(sql.type(LinkCode)`
    SELECT id, short_code AS "shortCode" FROM links
    WHERE id = ANY(${sql.array(ids, "int8")}) AND user_id = ${userId}
  `);
}

const RenamedLink = z.extend(RecordedLinkRow, { earlierCode: z.string() });
export type RenamedLink = z.infer<typeof RenamedLink>;

/**
 * Whether another link has, or any link had the code, or it is one without tag. A statement of its own, before the change: a code that is being
 * deleted at the same time is then in `links` here, or in `link_codes` there.
 */
export function isCodeTaken(db: Db<"oneFirst">, { shortCode, code }: CodeChange) {
  return db.oneFirst(sql.type(z.object({ isTaken: z.boolean() }))`
    SELECT EXISTS (
      SELECT FROM links WHERE short_code = ${code} AND id IS DISTINCT FROM find_link_id(${shortCode})
      UNION ALL
      SELECT FROM link_codes
      WHERE short_code = ${code}
        AND (is_untagged OR link_id IS DISTINCT FROM find_link_id(${shortCode}))
      UNION ALL
      SELECT FROM retired_codes WHERE short_code = ${code}
    ) AS "isTaken"
  `);
}

/** Whether the new code would be one code too many: each change of a link also changes the records of its earlier codes. */
export function hasTooManyCodes(db: Db<"oneFirst">, { shortCode, code }: CodeChange) {
  return db.oneFirst(sql.type(z.object({ isFull: z.boolean() }))`
    SELECT count(*) >= ${CODES_PER_LINK_MAX_COUNT} AND NOT bool_or(short_code = ${code}) AS "isFull"
    FROM link_codes WHERE link_id = find_link_id(${shortCode})
  `);
}

/**
 * Adds a code that opens the link without tags. Its record is that of the link at the same revision.
 * @throws UniqueIntegrityConstraintViolationError if the link just got one, or a link just took the code
 */
export async function insertUntaggedCode(
  db: Db<"query">,
  { userId, shortCode, code }: CodeChange,
): Promise<void> {
  await db.query(sql.type(z.object({}))`
    WITH link AS (
      UPDATE links SET has_earlier_codes = true
      WHERE id = find_link_id(${shortCode}) AND user_id = ${userId} AND taken_down_at IS NULL
      RETURNING id, revision
    ), code AS (
      INSERT INTO link_codes (short_code, link_id, is_untagged) SELECT ${code}, id, true FROM link
    )
    INSERT INTO link_changes (short_code, revision) SELECT ${code}, revision FROM link
  `);
}

/**
 * Gives a link a new code. The one before becomes an earlier code, whose outbox row a trigger inserts. The code may be an
 * earlier code of the same link.
 * @returns null if the user has no such link, it was taken down, has this code already, or another link has or had it
 * @throws UniqueIntegrityConstraintViolationError on `links_short_code_key` if another link just took it,
 *   ForeignKeyIntegrityConstraintViolationError if a row that refers to the earlier code was just inserted
 */
export function renameLink(db: Db<"maybeOne">, { userId, shortCode, code }: CodeChange) {
  return db.maybeOne(sql.type(RenamedLink)`
    WITH earlier AS MATERIALIZED (
      SELECT id, short_code FROM links
      WHERE id = find_link_id(${shortCode}) AND user_id = ${userId} AND taken_down_at IS NULL
        AND short_code <> ${code}
      FOR UPDATE
    ), reserved AS (
      INSERT INTO link_codes AS code (short_code, link_id) SELECT ${code}, id FROM earlier
      ON CONFLICT (short_code) DO UPDATE SET link_id = excluded.link_id
        WHERE code.link_id = excluded.link_id AND NOT code.is_untagged
      RETURNING link_id
    ), kept AS (
      INSERT INTO link_codes (short_code, link_id)
      SELECT earlier.short_code, id FROM earlier JOIN reserved ON link_id = id
      ON CONFLICT DO NOTHING
    ), link AS (
      UPDATE links SET short_code = ${code}, has_earlier_codes = true, revision = revision + 1
      FROM earlier JOIN reserved ON link_id = earlier.id
      WHERE links.id = earlier.id
      RETURNING links.*
    ), report AS (
      UPDATE reports SET short_code = link.short_code
      FROM link JOIN earlier USING (id) WHERE reports.short_code = earlier.short_code
    ), recent AS (
      UPDATE recent_creates SET short_code = link.short_code
      FROM link JOIN earlier USING (id) WHERE recent_creates.short_code = earlier.short_code
    ), key AS (
      UPDATE idempotency_keys SET short_code = link.short_code
      FROM link JOIN earlier USING (id) WHERE idempotency_keys.short_code = earlier.short_code
    ), change AS (
      ${insertLinkChanges}
    )
    SELECT ${recordedLinkColumns}, earlier.short_code AS "earlierCode"
    FROM link JOIN earlier ON earlier.id = link.id LEFT JOIN products product USING (canonical_url)
  `);
}
