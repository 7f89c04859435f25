import type { Db } from "@tapthru/core/platform/postgres/postgres";
import * as calls from "@tapthru/proto/operator/activity";
import { type listAllActivity, OperatorActivity } from "@tapthru/proto/operator/activity";
import { escapeFormula } from "@tapthru/proto/rules/csv-cell";
import { type FragmentSqlToken, sql } from "slonik";
import * as z from "zod/mini";
import { activityReply, isBefore, OWNER_COLUMNS, type PageOf } from "../activity/activity.ts";
import { handlers } from "../calls/handlers.ts";

export const operatorActivityHandlers = handlers(calls, {
  listAllActivity: ({ db }, { ctx, query: { before, separator, ...filter } }) =>
    activityReply(ctx, { before, separator }, (page) => findAllActivity(db, filter, page), {
      /** The last ones say whose object it is, and from which network address. */
      names: [...OWNER_COLUMNS.names, "owner", "address"],
      record: (row) => ({
        ...OWNER_COLUMNS.record(row),
        owner: escapeFormula(row.ownerUsername ?? ""),
        address: row.addressHash,
      }),
    }),
});

type Filter = Omit<z.output<typeof listAllActivity.query>, "before" | "separator">;

async function findAllActivity(
  db: Db<"any">,
  { actor, action, q, addressHash, userId }: Filter,
  { before, limit }: PageOf,
): Promise<readonly OperatorActivity[]> {
  const conditions = [isBefore(before)];
  if (actor !== undefined) conditions.push(sql.fragment`actor = ${actor}`);
  if (action !== undefined) {
    // A range, which an index serves. `/` follows the dot.
    const isOfKind = sql.fragment`(action = ${action} OR action >= ${`${action}.`} AND action < ${`${action}/`})`;
    conditions.push(isOfKind);
    if (!/^link(?:\.|$)/.test(action)) conditions.push(sql.fragment`action NOT LIKE 'link.%'`);
  }
  if (addressHash !== undefined) {
    conditions.push(sql.fragment`address_hash = decode(${addressHash}, 'hex')`);
  }
  if (userId !== undefined) conditions.push(isOfUsers([userId]));
  if (q !== undefined) {
    const users = await db.any(sql.type(z.object({ id: z.int() }))`
      SELECT id FROM users WHERE username = ${q} OR lower(email) = lower(${q}) LIMIT 10
    `);
    const isOfNamed = isOfUsers(users.map(({ id }) => id));
    conditions.push(sql.fragment`((object = ${q} AND object <> '') OR ${isOfNamed})`);
  }
  return db.any(sql.type(OperatorActivity)`
    SELECT log.id, utc_text(at) AS at, actor, actor_name AS "actorName", action, object, before, after,
      request_id AS "requestId", acting.username AS "actorUsername", owner.username AS "ownerUsername",
      encode(address_hash, 'hex') AS "addressHash"
    FROM audit_log AS log
    LEFT JOIN users AS acting ON acting.id = actor_id LEFT JOIN users AS owner ON owner.id = owner_id
    WHERE ${sql.join(conditions, sql.fragment` AND `)}
    ORDER BY log.id DESC LIMIT ${limit}
  `);
}

/** Their objects, and what they changed of others'. */
function isOfUsers(ids: readonly number[]): FragmentSqlToken {
  const users = sql.array([...ids], "int4");
  return sql.fragment`
    (owner_id = ANY(${users}) OR (actor_id = ANY(${users}) AND actor_id <> coalesce(owner_id, 0)))
  `;
}
