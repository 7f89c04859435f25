import type { Db } from "@tapthru/core/platform/postgres/postgres";
import * as calls from "@tapthru/proto/activity";
import { Activity } from "@tapthru/proto/activity";
import { PERSONAL_EVENTS } from "@tapthru/proto/events";
import { type FragmentSqlToken, sql } from "slonik";
import * as z from "zod/mini";
import { handlers } from "../callers/handlers.ts";

const PAGE_SIZE = 50;
const EXPORTED_PAGE_SIZE = 1_000;

export const activityHandlers = handlers(calls, {
  listActivity: ({ db }, { caller: { userId, personId, role }, query: { q, before } }) => {
    const conditions = [sql.fragment`owner_id = ${userId}`];
    if (q !== undefined) conditions.push(isKnownBy(q));
    // As in the list of keys: their own, and owners those of all members.
    const isSeenKey = sql.fragment`starts_with(action, 'key.') AND (actor_id = ${personId} OR (${role === "owner"} AND actor_id <> ${userId}))`;
    if (userId !== personId) conditions.push(sql.fragment`(NOT ${isPersonal} OR ${isSeenKey})`);
    return activityPage(db, conditions, { columns: columnsFor(personId), before });
  },

  listAllActivity: async ({ db }, { query: { q, action, addressHash, before } }) => {
    const conditions: FragmentSqlToken[] = [];
    if (action !== undefined) {
      conditions.push(sql.fragment`action = ${action}`);
      // As the index has it.
      if (!action.startsWith("link.")) conditions.push(sql.fragment`action NOT LIKE 'link.%'`);
    }
    if (addressHash !== undefined) conditions.push(sql.fragment`address_hash = decode(${addressHash}, 'hex')`);
    if (q !== undefined) {
      const found = await db.anyFirst(sql.type(z.object({ id: z.int() }))`
        SELECT id FROM users WHERE username = ${q} OR lower(email) = lower(${q}) LIMIT 10
      `);
      const users = sql.array([...found], "int4");
      conditions.push(sql.fragment`(${isKnownBy(q)}
        OR owner_id = ANY(${users}) OR (actor_id = ANY(${users}) AND actor_id <> coalesce(owner_id, 0)))`);
    }
    return activityPage(db, conditions, { columns: OPERATOR_COLUMNS, before });
  },
});

export async function* activityPages(db: Db<"any">, userId: number): AsyncGenerator<readonly Activity[]> {
  const view = { columns: columnsFor(userId), limit: EXPORTED_PAGE_SIZE };
  for (let before: number | undefined | null; before !== null; ) {
    const page = await activityPage(db, [sql.fragment`owner_id = ${userId}`], { ...view, before });
    yield page.activity;
    before = page.nextBefore;
  }
}

const isKnownBy = (text: string) => sql.fragment`(object = ${text} AND object <> '')`;

const isPersonal = sql.fragment`action = ANY(${sql.array(PERSONAL_EVENTS, "text")})`;

const columnsFor = (personId: number) => sql.fragment`
  CASE WHEN actor <> 'operator' THEN actor_name END AS "actorName",
  CASE WHEN actor <> 'operator' AND actor_id <> ${personId} THEN coalesce(acting.username, 'a deleted user') END AS "actorUsername"
`;
const OPERATOR_COLUMNS = sql.fragment`
  actor_name AS "actorName", CASE WHEN actor_id IS NOT NULL THEN coalesce(acting.username, 'a deleted user') END AS "actorUsername",
  owner.username AS "ownerUsername", encode(address_hash, 'hex') AS "addressHash"
`;

async function activityPage(
  db: Db<"any">,
  conditions: FragmentSqlToken[],
  { columns, before, limit = PAGE_SIZE }: { columns: FragmentSqlToken; before: number | undefined; limit?: number },
) {
  if (before !== undefined) conditions.push(sql.fragment`log.id < ${before}`);
  const rows = await db.any(sql.type(Activity)`
    SELECT log.id, utc_text(at) AS at, actor, action, object, before, after, request_id AS "requestId", ${columns}
    FROM audit_log AS log
    LEFT JOIN users AS acting ON acting.id = actor_id LEFT JOIN users AS owner ON owner.id = owner_id
    WHERE ${sql.join([sql.fragment`true`, ...conditions], sql.fragment` AND `)}
    ORDER BY log.id DESC LIMIT ${limit + 1}
  `);
  const activity = rows.slice(0, limit);
  return { activity, nextBefore: rows.length > limit ? (activity.at(-1)?.id ?? null) : null };
}
