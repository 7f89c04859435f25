import { insertLinkChanges } from "@tapthru/core/outbox";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { RoutingSettings } from "@tapthru/proto/http/routing";
import { ReadableRouting } from "@tapthru/proto/redirect/link-routing";
import { sql } from "slonik";
import * as z from "zod/mini";
import { RecordedLinkRow, recordedLinkColumns } from "../links/link-row.ts";

/** Null if the user never saved any. */
export function findRoutingSettings(db: Db<"maybeOne">, userId: number) {
  return db.maybeOne(sql.type(RoutingSettings)`
    SELECT is_on AS "isOn", fallback, assistants_get_tag AS "assistantsGetTag" FROM routing_settings WHERE user_id = ${userId}
  `);
}

/** A trigger has the relay change the redirect records of the user's links. */
export async function upsertRoutingSettings(
  db: Db<"query">,
  userId: number,
  { isOn, fallback, assistantsGetTag }: RoutingSettings,
) {
  await db.query(sql.type(z.object({}))`
    INSERT INTO routing_settings (user_id, is_on, fallback, assistants_get_tag)
    VALUES (${userId}, ${isOn}, ${fallback}, ${assistantsGetTag})
    ON CONFLICT (user_id) DO UPDATE SET is_on = excluded.is_on, fallback = excluded.fallback,
      assistants_get_tag = excluded.assistants_get_tag
  `);
}

const RoutingRow = z.object({
  /** Null: as the account says. */
  ownChoice: z.nullable(z.boolean()),
  isOn: z.boolean(),
  routing: ReadableRouting,
});

/** @returns null if the user has no such link */
export function findLinkRouting(
  db: Db<"maybeOne">,
  { userId, shortCode }: { userId: number; shortCode: string },
) {
  return db.maybeOne(sql.type(RoutingRow)`
    SELECT link.routing AS "ownChoice", coalesce(link.routing, setting.is_on, false) AS "isOn",
      routing_of_link(
        link.user_id, link.channel_id, link.routing, link.canonical_url, link.title
      ) AS routing
    FROM links AS link LEFT JOIN routing_settings AS setting USING (user_id)
    WHERE link.id = find_link_id(${shortCode}) AND user_id = ${userId}
  `);
}

/** @returns null if the user has no such link or it was taken down */
export function updateLinkRouting(
  db: Db<"maybeOne">,
  { userId, shortCode }: { userId: number; shortCode: string },
  isOn: boolean | null,
) {
  return db.maybeOne(sql.type(RecordedLinkRow)`
    WITH link AS (
      UPDATE links SET routing = ${isOn}, revision = revision + 1
      WHERE id = find_link_id(${shortCode}) AND user_id = ${userId} AND taken_down_at IS NULL
      RETURNING *
    ), change AS (
      ${insertLinkChanges}
    )
    SELECT ${recordedLinkColumns} FROM link LEFT JOIN products product USING (canonical_url)
  `);
}
