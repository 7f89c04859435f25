import type { Db } from "@tapthru/core/platform/postgres/postgres";
import {
  OperatorUser,
  StoredRows,
  USER_STATES,
  type UserState,
} from "@tapthru/proto/http/operator/users";
import { COUNTED_LINKS_MAX, OPERATOR_PAGE_SIZE } from "@tapthru/proto/rules/limits";
import { parseShortLink } from "@tapthru/proto/rules/parse-short-link";
import { sql } from "slonik";
import * as z from "zod/mini";

/** Times are Unix milliseconds. */
const UserRow = z.extend(OperatorUser, {
  createdAt: z.number(),
  lastLoginAt: z.nullable(z.number()),
});
export type UserRow = z.infer<typeof UserRow>;

const UserDetailsRow = z.extend(UserRow, {
  firebaseUid: z.string(),
  keys: z.array(
    z.object({ name: z.string(), start: z.string(), lastUsedAt: z.nullable(z.number()) }),
  ),
  domains: z.array(z.string()),
});

const userColumns = sql.fragment`
  users.id, username, email, users.created_at AS "createdAt", is_operator AS "isOperator", state,
  (
    SELECT count(*)::int
    FROM (SELECT FROM links WHERE user_id = users.id LIMIT ${COUNTED_LINKS_MAX}) AS counted
  ) AS "linkCount",
  (SELECT count(*)::int FROM api_keys WHERE user_id = users.id) AS "keyCount",
  last_login_at AS "lastLoginAt"
`;

interface UserSearch {
  text: string;
  siteHost: string;
  before: number | undefined;
}

/** Users that one request looks at for a text. */
const SEARCHED_USERS = 50_000;

/**
 * Users whose name, address or domain contains the text, or who have this short link, the newest first. A page may be short or
 * empty before the last one.
 */
export async function findUsers(
  db: Db<"any" | "maybeOneFirst">,
  { text, siteHost, before = 1_000_000_000 }: UserSearch,
  searchedCount = SEARCHED_USERS,
): Promise<{ users: readonly UserRow[]; nextBefore: number | null }> {
  const q = text.toLowerCase();
  const end = await db.maybeOneFirst(sql.type(z.object({ id: z.int() }))`
    SELECT id FROM users WHERE id < ${before} ORDER BY id DESC OFFSET ${searchedCount - 1} LIMIT 1
  `);
  const found = await db.any(sql.type(UserRow)`
    SELECT ${userColumns} FROM users
    WHERE users.id < ${before} AND users.id >= ${end ?? 0} AND (
      ${q} = '' OR strpos(lower(username), ${q}) > 0 OR strpos(lower(email), ${q}) > 0
      OR users.id IN (SELECT user_id FROM domains WHERE strpos(host, ${q}) > 0)
      OR users.id = (SELECT user_id FROM links WHERE id = find_link_id(${parseShortLink(q, siteHost)}))
    )
    ORDER BY users.id DESC LIMIT ${OPERATOR_PAGE_SIZE + 1}
  `);
  const users = found.slice(0, OPERATOR_PAGE_SIZE);
  return { users, nextBefore: found.length > users.length ? (users.at(-1)?.id ?? null) : end };
}

const UserKey = z.object({
  id: z.int(),
  username: z.string(),
  firebaseUid: z.string(),
  isOperator: z.boolean(),
});
export type UserKey = z.infer<typeof UserKey>;

export function findUserKey(db: Db<"maybeOne">, id: number): Promise<UserKey | null> {
  return db.maybeOne(sql.type(UserKey)`
    SELECT id, username, firebase_uid AS "firebaseUid", is_operator AS "isOperator"
    FROM users WHERE id = ${id}
  `);
}

/** Rows of clicks that are counted for one user. */
const COUNTED_ROWS = 100_000;

export function findUserDetails(db: Db<"maybeOne">, id: number) {
  return db.maybeOne(sql.type(UserDetailsRow)`
    SELECT ${userColumns}, firebase_uid AS "firebaseUid",
      (
        SELECT coalesce(jsonb_agg(jsonb_build_object(
          'name', name, 'start', start,
          'lastUsedAt', floor(extract(epoch FROM last_used_at) * 1000)::bigint
        ) ORDER BY api_keys.id DESC), '[]') FROM api_keys WHERE user_id = users.id
      ) AS keys,
      (
        SELECT coalesce(jsonb_agg(host ORDER BY host), '[]') FROM domains WHERE user_id = users.id
      ) AS domains
    FROM users WHERE users.id = ${id}
  `);
}

export function countStoredRows(db: Db<"one">, userId: number) {
  return db.one(sql.type(StoredRows)`
    SELECT (
      SELECT count(*)::int FROM (
        SELECT FROM clicks WHERE link_id IN (
          SELECT id FROM links WHERE user_id = ${userId} LIMIT ${COUNTED_LINKS_MAX}
        ) LIMIT ${COUNTED_ROWS}
      ) AS counted
    ) AS "clickRows",
    (SELECT coalesce(sum(line_count), 0)::int FROM imports WHERE user_id = ${userId}) AS "importLines",
    (SELECT coalesce(sum(row_count), 0)::int FROM earnings_reports WHERE user_id = ${userId}) AS "earningsRows"
  `);
}

/** @returns the state before; null if it was the same */
export async function updateState(
  transaction: Db<"maybeOne">,
  id: number,
  state: UserState,
): Promise<UserState | null> {
  const row = await transaction.maybeOne(sql.type(z.object({ state: z.enum(USER_STATES) }))`
    WITH earlier AS MATERIALIZED (SELECT id, state FROM users WHERE id = ${id} FOR NO KEY UPDATE)
    UPDATE users SET state = ${state} FROM earlier
    WHERE users.id = earlier.id AND earlier.state <> ${state}
    RETURNING earlier.state
  `);
  return row?.state ?? null;
}

/** A running import would create more links. It stops after the batch in progress. */
export async function cancelImports(db: Db<"query">, userId: number): Promise<void> {
  await db.query(sql.type(z.object({}))`
    UPDATE imports SET state = 'cancelled', ended_at = now()
    WHERE user_id = ${userId} AND state = 'running'
  `);
}

/** Removes the second factor and the passkeys of an identity. */
export async function removeSecondFactor(db: Db<"query">, firebaseUid: string): Promise<void> {
  await db.query(sql.type(z.object({}))`
    WITH passkeys AS (DELETE FROM identity.passkey WHERE "userId" = ${firebaseUid}),
    factors AS (DELETE FROM identity."twoFactor" WHERE "userId" = ${firebaseUid})
    UPDATE identity."user" SET "twoFactorEnabled" = false WHERE id = ${firebaseUid}
  `);
}
