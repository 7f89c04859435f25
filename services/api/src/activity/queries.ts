import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { ACTIVITY_PAGE_SIZE, Activity } from "@tapthru/proto/http/activity";
import { type listAllActivity, OperatorActivity } from "@tapthru/proto/http/operator/activity";
import { type FragmentSqlToken, sql } from "slonik";
import * as z from "zod/mini";

const ActivityRow = z.extend(Activity, {
  /** Unix milliseconds. */
  at: z.number(),
});
const OperatorActivityRow = z.extend(OperatorActivity, { at: z.number() });

export interface PageOf {
  /** The page begins after this row; by default with the newest. */
  before?: number | undefined;
  limit?: number | undefined;
}

/**
 * What was changed of a user's objects, the newest first. They do not see the names of operators' keys.
 * @param linkId only what was changed of this link
 */
export async function findActivity(
  db: Db<"any">,
  { userId, linkId }: { userId: number; linkId: number | null },
  { before, limit = ACTIVITY_PAGE_SIZE + 1 }: PageOf = {},
): Promise<Activity[]> {
  const isOfLink =
    linkId === null
      ? sql.fragment`TRUE`
      : sql.fragment`object_id = ${String(linkId)} AND action LIKE 'link.%'`;
  const rows = await db.any(sql.type(ActivityRow)`
    SELECT id, at, actor, CASE WHEN actor <> 'operator' THEN actor_name END AS "actorName",
      action, object, before, after, request_id AS "requestId"
    FROM audit_log AS log WHERE owner_id = ${userId} AND ${isOfLink} AND ${isBefore(before)}
    ORDER BY id DESC LIMIT ${limit}
  `);
  return rows.map(withIsoTime);
}

export type ActivityFilter = Omit<z.output<typeof listAllActivity.query>, "before">;

/** What was changed in the installation, the newest first. */
export async function findAllActivity(
  db: Db<"any">,
  filter: ActivityFilter,
  { before, limit = ACTIVITY_PAGE_SIZE + 1 }: PageOf = {},
): Promise<OperatorActivity[]> {
  const conditions = [isBefore(before), ...conditionsOf(filter)];
  if (filter.q !== undefined) {
    const userIds = await findUserIds(db, filter.q);
    conditions.push(
      sql.fragment`((object = ${filter.q} AND object <> '') OR ${isOfUsers(userIds)})`,
    );
  }
  const rows = await db.any(sql.type(OperatorActivityRow)`
    SELECT log.id, at, actor, actor_name AS "actorName", action, object, before, after,
      request_id AS "requestId", acting.username AS "actorUsername", owner.username AS "ownerUsername",
      encode(address_hash, 'hex') AS "addressHash"
    FROM audit_log AS log
    LEFT JOIN users AS acting ON acting.id = actor_id LEFT JOIN users AS owner ON owner.id = owner_id
    WHERE ${sql.join(conditions, sql.fragment` AND `)}
    ORDER BY log.id DESC LIMIT ${limit}
  `);
  return rows.map(withIsoTime);
}

function conditionsOf({ actor, action, addressHash, userId }: ActivityFilter): FragmentSqlToken[] {
  const conditions: FragmentSqlToken[] = [];
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
  return conditions;
}

/** Their objects, and what they changed of others'. */
function isOfUsers(ids: readonly number[]): FragmentSqlToken {
  const users = sql.array([...ids], "int4");
  return sql.fragment`
    (owner_id = ANY(${users}) OR (actor_id = ANY(${users}) AND actor_id <> coalesce(owner_id, 0)))
  `;
}

/** The users with this name or email address. */
async function findUserIds(db: Db<"any">, name: string): Promise<number[]> {
  const rows = await db.any(sql.type(z.object({ id: z.int() }))`
    SELECT id FROM users WHERE username = ${name} OR lower(email) = lower(${name}) LIMIT 10
  `);
  return rows.map(({ id }) => id);
}

function isBefore(id: number | undefined): FragmentSqlToken {
  return id === undefined ? sql.fragment`TRUE` : sql.fragment`log.id < ${id}`;
}

function withIsoTime<Row extends { at: number }>(row: Row): Omit<Row, "at"> & { at: string } {
  return { ...row, at: new Date(row.at).toISOString() };
}
