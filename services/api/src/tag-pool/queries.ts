import { PoolTag } from "@tapthru/proto/http/tag-pool";
import type { Logger } from "@tapthru/runtime/logger";
import type { Db } from "@tapthru/runtime/postgres/postgres";
import { readableRows } from "@tapthru/runtime/unreadable";
import { sql } from "slonik";
import * as z from "zod/mini";

/** The user's tracking ids, by store, free ones first, then used ones, each as they were added. */
export function findPoolTags(deps: { db: Db<"any">; logger: Logger }, userId: number) {
  const query = sql.type(PoolTag)`
    SELECT pool.id, pool.marketplace, pool.tag,
      CASE
        WHEN link_id IS NOT NULL THEN 'used' WHEN used_at IS NULL THEN 'free' ELSE 'retired'
      END AS state,
      link.short_code AS "shortCode"
    FROM pool_tags pool LEFT JOIN links link ON link.id = pool.link_id
    WHERE pool.user_id = ${userId}
    ORDER BY marketplace, used_at IS NOT NULL, link_id IS NULL, pool.id
  `;
  return readableRows(deps, query, ["id"]);
}

export function countPoolTags(transaction: Db<"oneFirst">, userId: number) {
  return transaction.oneFirst(sql.type(z.object({ count: z.int() }))`
    SELECT count(*)::int AS count FROM pool_tags WHERE user_id = ${userId}
  `);
}

interface NewTags {
  userId: number;
  marketplace: string;
  tags: readonly string[];
}

/**
 * Ids that the user has in the pool or in a channel are left out; those in addresses of links are used.
 * @returns the number of new ones
 */
export async function insertPoolTags(
  transaction: Db<"any" | "query">,
  { userId, marketplace, tags }: NewTags,
): Promise<number> {
  const rows = await transaction.any(sql.type(z.object({ id: z.int() }))`
    INSERT INTO pool_tags (user_id, marketplace, tag)
    SELECT ${userId}, ${marketplace}, tag
    FROM unnest(${sql.array(tags, "text")}) WITH ORDINALITY AS new (tag, at)
    WHERE NOT EXISTS (
      SELECT FROM channel_tags AS own
      WHERE own.user_id = ${userId} AND own.marketplace = ${marketplace}
        AND lower(own.tag) = lower(new.tag)
    )
    ORDER BY at
    ON CONFLICT DO NOTHING
    RETURNING id
  `);
  await usePoolTags(transaction, userId);
  return rows.length;
}

/** Free ids in addresses of the user's links are then used by these. */
async function usePoolTags(transaction: Db<"query">, userId: number) {
  await transaction.query(sql.type(z.object({}))`SELECT use_pool_tags(${userId})`);
}

const Removed = z.object({ isUsed: z.boolean() });

/** Removes an id unless a link has it. @returns null if the user has no such id */
export function removePoolTag(
  db: Db<"maybeOne">,
  { userId, id }: { userId: number; id: number },
): Promise<z.infer<typeof Removed> | null> {
  return db.maybeOne(sql.type(Removed)`
    WITH found AS (
      SELECT id, link_id IS NOT NULL AS "isUsed" FROM pool_tags
      WHERE id = ${id} AND user_id = ${userId} FOR UPDATE
    ), removed AS (
      DELETE FROM pool_tags USING found WHERE pool_tags.id = found.id AND NOT "isUsed"
    )
    SELECT "isUsed" FROM found
  `);
}

interface Taker {
  userId: number;
  linkId: number;
  marketplace: string;
}

/** Whether the link has one. */
export function hasPoolTag(transaction: Db<"exists">, linkId: number) {
  return transaction.exists(
    sql.type(z.object({}))`SELECT FROM pool_tags WHERE link_id = ${linkId}`,
  );
}

/** Retires the id that the link has, if any. */
export async function retirePoolTag(transaction: Db<"query">, linkId: number) {
  await transaction.query(sql.type(z.object({}))`
    UPDATE pool_tags SET link_id = NULL WHERE link_id = ${linkId}
  `);
}

/** Gives the link the first free id of a store. @returns null if there is none */
export async function takePoolTag(
  transaction: Db<"maybeOne" | "query">,
  { userId, linkId, marketplace }: Taker,
): Promise<string | null> {
  // For links and ids that were added at the same time.
  await usePoolTags(transaction, userId);
  const taken = await transaction.maybeOne(sql.type(z.object({ tag: z.string() }))`
    UPDATE pool_tags SET link_id = ${linkId}, used_at = now()
    WHERE id = (
      SELECT id FROM pool_tags
      WHERE user_id = ${userId} AND marketplace = ${marketplace} AND used_at IS NULL
      ORDER BY id LIMIT 1
      FOR UPDATE SKIP LOCKED
    )
    RETURNING tag
  `);
  return taken?.tag ?? null;
}
