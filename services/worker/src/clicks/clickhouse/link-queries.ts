import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { sql } from "slonik";
import * as z from "zod/mini";
import { linksOfCodes } from "../queries.ts";
import type { CountedLinks } from "./batch-rows.ts";

const Nothing = z.object({});
const Link = z.object({ id: z.int(), shortCode: z.string(), userId: z.int() });

/** The links of current and earlier codes, by code. */
export async function findCountedLinks(db: Db<"any">, shortCodes: readonly string[]): Promise<CountedLinks> {
  const links = await db.any(sql.type(Link)`
    SELECT link.id, code.short_code AS "shortCode", coalesce(link.user_id, 0) AS "userId"
    FROM (${linksOfCodes(shortCodes)}) AS code JOIN links link ON link.id = code.link_id
  `);
  return new Map(links.map(({ shortCode, ...link }) => [shortCode, link]));
}

const LinkChange = z.object({
  id: z.int(),
  linkId: z.int(),
  fromUserId: z.int(),
  toUserId: z.nullable(z.int()),
});
/** A claim, or a deletion: `toUserId` is null. 0 means no owner. */
export type LinkChange = z.infer<typeof LinkChange>;

/** The oldest changes that were not followed yet, or not again a minute later. */
export function findLinkChanges(db: Db<"any">, limit: number) {
  return db.any(sql.type(LinkChange)`
    SELECT id, link_id AS "linkId", from_user_id AS "fromUserId", to_user_id AS "toUserId"
    FROM click_link_changes
    WHERE NOT is_followed OR changed_at < now() - interval '1 minute'
    ORDER BY id LIMIT ${limit}
  `);
}

/** Keeps young changes, which are followed once more: a late insert may have used the owner of before. */
export async function markFollowed(db: Db<"query">, ids: readonly number[]): Promise<void> {
  const followed = sql.fragment`id = ANY(${sql.array(ids, "int8")})`;
  await db.query(sql.type(Nothing)`
    WITH deleted AS (
      DELETE FROM click_link_changes
      WHERE ${followed} AND changed_at < now() - interval '1 minute' RETURNING id
    )
    UPDATE click_link_changes SET is_followed = true
    WHERE ${followed} AND changed_at >= now() - interval '1 minute'
  `);
}
