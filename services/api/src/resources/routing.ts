import { isDeepStrictEqual } from "node:util";
import { linksOf, recorded, recordLinks } from "@tapthru/core/events";
import { changeOwner } from "@tapthru/core/links/change-owner";
import { insertLinkChanges } from "@tapthru/core/outbox";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { linkNotFound } from "@tapthru/proto/general-errors";
import { linkRouting } from "@tapthru/proto/redirect/link-of-owner";
import { OwnerRecord } from "@tapthru/proto/redirect/owner";
import { LiveRecord } from "@tapthru/proto/redirect/record";
import type { RoutingChoice } from "@tapthru/proto/routing";
import * as calls from "@tapthru/proto/routing";
import { type RoutingOfLink, RoutingSettings } from "@tapthru/proto/routing";
import { type FragmentSqlToken, sql } from "slonik";
import * as z from "zod/mini";
import { handlers } from "../callers/handlers.ts";
import { lockingUser } from "../callers/users.ts";
import { ApiError } from "../http/errors.ts";
import { RecordedLinkRow, recordedLinkColumns, redirectRecords } from "../links/link-row.ts";
import { findEditableLink } from "../links/user-links.ts";

const DEFAULTS: RoutingSettings = {
  isOn: false,
  fallback: "original",
  assistantsGetTag: false,
};
const IS_ON: Record<RoutingChoice, boolean | null> = { account: null, on: true, off: false };

export const routingHandlers = handlers(calls, {
  getRoutingSettings: async ({ db }, { userId }) => (await findRoutingSettings(db, userId)) ?? DEFAULTS,

  saveRoutingSettings: async ({ db }, { userId, body }) => {
    const { isOn, fallback, assistantsGetTag } = body;
    await lockingUser(db, userId, async (transaction) => {
      const before = await findRoutingSettings(transaction, userId);
      await transaction.query(sql.type(z.object({}))`
        WITH before AS MATERIALIZED (SELECT * FROM routing_settings WHERE user_id = ${userId}), object AS (
          INSERT INTO routing_settings (user_id, is_on, fallback, assistants_get_tag)
          VALUES (${userId}, ${isOn}, ${fallback}, ${assistantsGetTag})
          ON CONFLICT (user_id) DO UPDATE SET is_on = excluded.is_on, fallback = excluded.fallback,
            assistants_get_tag = excluded.assistants_get_tag
          RETURNING *
        ), ${checkedInStores(sql.fragment`object WHERE is_on`)}, ${recorded("routing.changed")}
        SELECT
      `);
      if (!isDeepStrictEqual(body, before)) await changeOwner(transaction, userId);
    });
    return body;
  },

  getLinkRouting: ({ db }, { userId, params }) => routingOf(db, { userId, ...params }),

  saveLinkRouting: async ({ db, projectLinks }, { ctx, userId, params, body }) => {
    const link = { userId, ...params };
    const { id } = await findEditableLink(db, link);
    const changed = await db.transaction((transaction) =>
      recordLinks(transaction, "link.changed", linksOf([id]), () =>
        transaction.maybeOne(sql.type(RecordedLinkRow)`
          WITH link AS (
            UPDATE links SET routing = ${IS_ON[body.choice]}, revision = revision + 1
            WHERE id = ${id} AND user_id = ${userId} AND taken_down_at IS NULL
            RETURNING *
          ), ${checkedInStores(sql.fragment`link WHERE routing`)}, change AS (
            ${insertLinkChanges}
          )
          SELECT ${recordedLinkColumns} FROM link LEFT JOIN products product USING (canonical_url)
        `),
      ),
    );
    if (changed === null) throw new ApiError(linkNotFound);
    await projectLinks(redirectRecords([changed]), ctx.state.redisBudget);
    return routingOf(db, link);
  },
});

/** A CTE: from now on the worker looks for products of the user's links in other stores. */
const checkedInStores = (routed: FragmentSqlToken) => sql.fragment`store_check AS (
    INSERT INTO store_checks (user_id) SELECT user_id FROM ${routed} ON CONFLICT DO NOTHING
  )`;

/** Returns null if the user never saved any. */
export function findRoutingSettings(db: Db<"maybeOne">, userId: number) {
  return db.maybeOne(sql.type(RoutingSettings)`
    SELECT is_on AS "isOn", fallback, assistants_get_tag AS "assistantsGetTag" FROM routing_settings WHERE user_id = ${userId}
  `);
}

const RoutingRow = z.object({
  /** Null if the account decides. */
  ownChoice: z.nullable(z.boolean()),
  isOn: z.boolean(),
  /** Null also for one that this release cannot read. */
  record: z.catch(z.nullable(LiveRecord), null),
  owner: z.catch(z.nullable(OwnerRecord), null),
});

async function routingOf(
  db: Db<"maybeOne">,
  { userId, shortCode }: { userId: number; shortCode: string },
): Promise<RoutingOfLink> {
  const row = await db.maybeOne(sql.type(RoutingRow)`
    SELECT link.routing AS "ownChoice", coalesce(link.routing, setting.is_on, false) AS "isOn",
      redirect_record(link, product) AS record, owner_record(user_id) AS owner
    FROM links AS link LEFT JOIN products AS product USING (canonical_url)
    LEFT JOIN routing_settings AS setting USING (user_id)
    WHERE link.id = find_link_id(${shortCode}) AND user_id = ${userId}
  `);
  if (row === null) throw new ApiError(linkNotFound);
  const { ownChoice, isOn, record, owner } = row;
  const choice = ownChoice === null ? "account" : ownChoice ? "on" : "off";
  return { choice, isOn, routing: record && owner && linkRouting(record, owner) };
}
