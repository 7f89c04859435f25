import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { Channel } from "@tapthru/proto/http/channels";
import { StoreTag } from "@tapthru/proto/http/stores";
import { labelKey } from "@tapthru/proto/rules/labels";
import { sql } from "slonik";
import * as z from "zod/mini";

const Nothing = z.object({});

const ChannelRow = z.extend(Channel, {
  // Without those of stores that this release does not know.
  tags: z.pipe(
    z.array(z.unknown()),
    z.transform((tags) => tags.flatMap((tag) => z.safeParse(StoreTag, tag).data ?? [])),
  ),
});

/** The user's channels: the default first, the others by name. */
export function findChannels(db: Db<"any">, userId: number) {
  return db.any(sql.type(ChannelRow)`
    SELECT id, name, is_default AS "isDefault", (
        SELECT coalesce(
          jsonb_agg(jsonb_build_object('marketplace', marketplace, 'tag', tag) ORDER BY marketplace), '[]'
        )
        FROM channel_tags WHERE channel_id = channel.id
      ) AS tags,
      fallback_url AS "fallbackUrl",
      (SELECT count(*)::int FROM links WHERE channel_id = channel.id) AS "linkCount"
    FROM channels channel WHERE user_id = ${userId}
    ORDER BY is_default DESC, name, id
  `);
}

export function hasChannel(db: Db<"exists">, { userId, id }: { userId: number; id: number }) {
  return db.exists(sql.type(Nothing)`
    SELECT FROM channels WHERE id = ${id} AND user_id = ${userId}
  `);
}

const Id = z.object({ id: z.int() });

/** @returns the id */
export function insertChannel(
  transaction: Db<"oneFirst">,
  { userId, name, fallbackUrl }: { userId: number; name: string; fallbackUrl: string | null },
) {
  return transaction.oneFirst(sql.type(Id)`
    INSERT INTO channels (user_id, name, name_key, fallback_url)
    VALUES (${userId}, ${name}, ${labelKey(name)}, ${fallbackUrl})
    RETURNING id
  `);
}

export async function renameChannel(transaction: Db<"query">, id: number, name: string) {
  await transaction.query(sql.type(Nothing)`
    UPDATE channels SET name = ${name}, name_key = ${labelKey(name)} WHERE id = ${id}
  `);
}

/** @param url null: none */
export async function setFallback(transaction: Db<"query">, id: number, url: string | null) {
  await transaction.query(sql.type(Nothing)`
    UPDATE channels SET fallback_url = ${url} WHERE id = ${id}
  `);
}

/** In two statements: the unique index allows one default at any time. */
export async function changeDefault(transaction: Db<"query">, userId: number, id: number) {
  await transaction.query(sql.type(Nothing)`
    UPDATE channels SET is_default = false WHERE user_id = ${userId} AND is_default AND id <> ${id}
  `);
  await transaction.query(sql.type(Nothing)`
    UPDATE channels SET is_default = true WHERE id = ${id} AND NOT is_default
  `);
}

/** @throws UniqueIntegrityConstraintViolationError if another channel of the user has the tag */
export async function upsertTag(
  transaction: Db<"query">,
  { userId, id }: { userId: number; id: number },
  { marketplace, tag }: StoreTag,
) {
  await transaction.query(sql.type(Nothing)`
    INSERT INTO channel_tags (channel_id, user_id, marketplace, tag)
    VALUES (${id}, ${userId}, ${marketplace}, ${tag})
    ON CONFLICT (channel_id, marketplace) DO UPDATE SET tag = excluded.tag
  `);
}

export async function removeTag(db: Db<"query">, id: number, marketplace: string) {
  await db.query(sql.type(Nothing)`
    DELETE FROM channel_tags WHERE channel_id = ${id} AND marketplace = ${marketplace}
  `);
}

/** The relay need not write into links that the channel has no tags. */
export async function removeTags(db: Db<"query">, id: number) {
  await db.query(sql.type(Nothing)`DELETE FROM channel_tags WHERE channel_id = ${id}`);
  await db.query(sql.type(Nothing)`
    DELETE FROM channel_tag_changes WHERE id IN (
      SELECT id FROM channel_tag_changes WHERE channel_id = ${id} FOR UPDATE SKIP LOCKED
    )
  `);
}

/**
 * Takes the channel from its user until the relay deletes it. Patterns and imports do not use the tags of the default channel in
 * its place.
 */
export async function deleteChannel(transaction: Db<"query">, id: number) {
  await transaction.query(sql.type(Nothing)`
    WITH pattern AS (
      UPDATE link_patterns SET channel_id = NULL, uses_channel_tag = false WHERE channel_id = ${id}
    ), import AS (
      UPDATE imports SET channel_id = NULL, uses_channel_tag = false WHERE channel_id = ${id}
    )
    UPDATE channels SET user_id = NULL WHERE id = ${id}
  `);
}
