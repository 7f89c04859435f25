import type { Logger } from "@tapthru/core/platform/logger";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { readableRows } from "@tapthru/core/platform/unreadable";
import { oneLinkStore, StoreTag } from "@tapthru/proto/http/stores";
import type { OneLinkStore } from "@tapthru/proto/rules/amazon/onelink";
import { sql } from "slonik";
import * as z from "zod/mini";

type Query = Db<"query">;
const nothing = z.object({});

interface ReadDependencies {
  db: Db<"any">;
  logger: Logger;
}

/** The tags of the user's default channel, ordered by marketplace, of the stores that this release knows. */
export function findStoreTags(deps: ReadDependencies, userId: number): Promise<StoreTag[]> {
  const query = sql.type(StoreTag)`
    SELECT marketplace, tag FROM channel_tags WHERE channel_id = default_channel(${userId})
    ORDER BY marketplace
  `;
  return readableRows(deps, query, ["marketplace"]);
}

/** The stores that OneLink serves, ordered, that this release knows. */
export async function findOneLinkStores(
  deps: ReadDependencies,
  userId: number,
): Promise<OneLinkStore[]> {
  const query = sql.type(z.object({ marketplace: oneLinkStore }))`
    SELECT marketplace FROM onelink_stores WHERE user_id = ${userId} ORDER BY marketplace
  `;
  const rows = await readableRows(deps, query, ["marketplace"]);
  return rows.map(({ marketplace }) => marketplace);
}

export async function insertOneLinkStore(db: Query, userId: number, marketplace: OneLinkStore) {
  await db.query(sql.type(nothing)`
    INSERT INTO onelink_stores (user_id, marketplace) VALUES (${userId}, ${marketplace})
    ON CONFLICT DO NOTHING
  `);
}

export async function removeOneLinkStore(db: Query, userId: number, marketplace: OneLinkStore) {
  await db.query(sql.type(nothing)`
    DELETE FROM onelink_stores WHERE user_id = ${userId} AND marketplace = ${marketplace}
  `);
}
