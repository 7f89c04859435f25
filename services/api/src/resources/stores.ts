import { deleted, inserted } from "@tapthru/core/events";
import { changeOwner } from "@tapthru/core/links/change-owner";
import { readableRows } from "@tapthru/core/platform/unreadable";
import { StoreTag } from "@tapthru/proto/fields";
import type { OneLinkStore } from "@tapthru/proto/rules/amazon/onelink";
import * as calls from "@tapthru/proto/stores";
import { oneLinkStore } from "@tapthru/proto/stores";
import { sql } from "slonik";
import * as z from "zod/mini";
import type { Api } from "../api.ts";
import { handlers } from "../callers/handlers.ts";
import { changeDefaultTag } from "./channels.ts";

export const storeHandlers = handlers(calls, {
  listStoreTags: (api, { userId }) => findStoreTags(api, userId),

  saveStoreTag: async ({ db }, { userId, body }) => {
    await changeDefaultTag(db, userId, body);
    return body;
  },

  deleteStoreTag: async ({ db }, { userId, params }) => {
    await changeDefaultTag(db, userId, params);
    return params;
  },

  listOneLinkStores: (api, { userId }) => findOneLinkStores(api, userId),

  saveOneLinkStore: async ({ db }, { userId, body }) => {
    const { marketplace, served } = body;
    await db.transaction(async (transaction) => {
      const row = sql.fragment`(user_id, marketplace) VALUES (${userId}, ${marketplace}) ON CONFLICT DO NOTHING`;
      const isStore = sql.fragment`user_id = ${userId} AND marketplace = ${marketplace}`;
      const { rowCount } = await transaction.query(sql.type(z.object({}))`
        WITH ${served ? inserted("onelink-store.created")`${row}` : deleted("onelink-store.deleted")`${isStore}`}
        SELECT FROM object
      `);
      if (rowCount > 0) await changeOwner(transaction, userId);
    });
    return body;
  },
});

type Reader = Pick<Api, "db" | "logger">;

export function findStoreTags(reader: Reader, userId: number): Promise<StoreTag[]> {
  const query = sql.type(StoreTag)`
    SELECT marketplace, tag FROM channel_tags WHERE channel_id = default_channel(${userId})
    ORDER BY marketplace
  `;
  return readableRows(reader, query, ["marketplace"]);
}

export async function findOneLinkStores(reader: Reader, userId: number): Promise<OneLinkStore[]> {
  const query = sql.type(z.object({ marketplace: oneLinkStore }))`
    SELECT marketplace FROM onelink_stores WHERE user_id = ${userId} ORDER BY marketplace
  `;
  const rows = await readableRows(reader, query, ["marketplace"]);
  return rows.map(({ marketplace }) => marketplace);
}
