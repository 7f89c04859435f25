import { type ChangedTag, changeTags } from "@tapthru/core/links/change-tags";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { sql } from "slonik";
import * as z from "zod/mini";
import { followedTag, ownChannel, RecordedLinkRow, recordedLinkColumns } from "./link-row.ts";

const LockedLink = z.object({
  id: z.int(),
  originalUrl: z.string(),
  webUrl: z.string(),
  channelId: z.nullable(z.int()),
  channelTag: z.nullable(z.string()),
  takenDown: z.boolean(),
});
export type LockedLink = z.infer<typeof LockedLink>;

/** Locks those of the links that the user owns, in the order of their ids. */
export function lockLinks(
  transaction: Db<"any">,
  { userId, ids }: { userId: number; ids: readonly number[] },
) {
  return transaction.any(sql.type(LockedLink)`
    SELECT id, original_url AS "originalUrl", web_url AS "webUrl", ${ownChannel} AS "channelId", ${followedTag} AS "channelTag", taken_down_at IS NOT NULL AS "takenDown"
    FROM links link WHERE id = ANY(${sql.array(ids, "int8")}) AND user_id = ${userId}
    ORDER BY id FOR NO KEY UPDATE
  `);
}

export function storeTags(transaction: Db<"any">, links: readonly ChangedTag[]) {
  return transaction.any(sql.type(RecordedLinkRow)`
    ${changeTags(links)}
    SELECT ${recordedLinkColumns} FROM link LEFT JOIN products product USING (canonical_url)
  `);
}
