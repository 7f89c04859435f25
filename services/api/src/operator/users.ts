import { changed, record } from "@tapthru/core/events";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { countUpTo } from "@tapthru/core/platform/postgres/values";
import { bestEffort } from "@tapthru/core/platform/redis/errors";
import { usernameDiffers } from "@tapthru/proto/fields";
import { invalidBody, notFound } from "@tapthru/proto/general-errors";
import * as calls from "@tapthru/proto/operator/users";
import { OperatorUser, StoredRows } from "@tapthru/proto/operator/users";
import { COUNTED_LINKS_MAX } from "@tapthru/proto/rules/limits";
import { parseShortLink } from "@tapthru/proto/rules/parse-short-link";
import { sql } from "slonik";
import * as z from "zod/mini";
import { confirmAddress, findAccount } from "../accounts/built-in/queries.ts";
import type { OperatorCaller } from "../callers/guards.ts";
import { handlers } from "../callers/handlers.ts";
import { identityUnavailable } from "../callers/identity.ts";
import { hasConfirmedEmail, lockOperators } from "../callers/users.ts";
import { ApiError } from "../http/errors.ts";
import { requireRecentLogin } from "./guard.ts";
import { OPERATOR_PAGE_SIZE, requireUser, type UserKey } from "./owners.ts";

const Nothing = z.object({});

export const operatorUserHandlers = handlers(calls, {
  listUsers: async ({ db, publicBaseUrl }, { query: { q = "", before } }) => {
    const siteHost = new URL(publicBaseUrl).host;
    const { users, nextBefore } = await findUsers(db, { text: q, siteHost, before });
    return { users: [...users], nextBefore };
  },

  getUserDetails: async ({ db, builtIn, sessionStore }, { ctx, params: { id } }) => {
    const user = await db.maybeOne(sql.type(UserDetailsRow)`
      SELECT ${userColumns}, firebase_uid AS "firebaseUid",
        (
          SELECT coalesce(jsonb_agg(jsonb_build_object(
            'name', name, 'start', start,
            'lastUsedAt', utc_text(last_used_at)
          ) ORDER BY api_keys.id DESC), '[]') FROM api_keys WHERE user_id = users.id
        ) AS keys,
        (
          SELECT coalesce(jsonb_agg(host ORDER BY host), '[]') FROM domains WHERE user_id = users.id
        ) AS domains
      FROM users WHERE users.id = ${id}
    `);
    if (user === null) throw new ApiError(notFound);
    const { firebaseUid, ...row } = user;
    const sessions = await sessionStore.list({ userId: id, firebaseUid }, ctx.state.redisBudget);
    const account = builtIn === null ? null : await findAccount(db, firebaseUid);
    return {
      ...row,
      sessionCount: sessions.length,
      hasTwoFactor: account?.hasTwoFactor ?? null,
      isEmailConfirmed: await hasConfirmedEmail(db, id),
      storage: await countStoredRows(db, id),
    };
  },

  setUserState: async (api, { ctx, caller, params: { id }, body: { state } }) => {
    const { firebaseUid } = await requireUser(api.db, id);
    if (id === caller.userId && state !== "enabled") throw new ApiError(calls.ownAccount);
    await api.db.transaction(async (transaction) => {
      // One of two operators who disable each other at the same time remains.
      const operators = await lockOperators(transaction);
      if (!operators.includes(caller.userId)) throw new ApiError(notFound);
      await transaction.query(sql.type(Nothing)`
        WITH ${changed("account.changed", sql.fragment`id = ${id} AND state <> ${state}`)`state = ${state}`} SELECT
      `);
    });
    if (state !== "enabled") {
      // Each request checks the state, so that a session that remains is of no use while Redis or the provider is unavailable.
      const { redisBudget, releaseSlotDuring } = ctx.state;
      await bestEffort(api.sessionStore.endAll({ userId: id, firebaseUid }, redisBudget));
      await releaseSlotDuring(() => api.identity.revoke(firebaseUid), { mayReject: false });
    }
    return {};
  },

  endUserSessions: async ({ db, identity, sessionStore }, { ctx, params: { id } }) => {
    const user = await requireUser(db, id);
    await record(db, "sessions.ended", accountOf(user));
    const { firebaseUid } = user;
    const { redisBudget, releaseSlotDuring } = ctx.state;
    // First, as otherwise an open browser could start a new session at once.
    const outcome = await releaseSlotDuring(() => identity.revoke(firebaseUid), { mayReject: false });
    if (outcome === "unavailable") throw identityUnavailable();
    return { ended: await sessionStore.endAll({ userId: id, firebaseUid }, redisBudget) };
  },

  confirmUserEmail: async ({ db }, { caller, params: { id } }) => {
    requireRecentLogin(caller);
    const user = await requireUser(db, id);
    await db.transaction(async (transaction) => {
      await record(transaction, "email.confirmed", accountOf(user));
      await transaction.query(sql.type(Nothing)`UPDATE users SET email_is_verified = true WHERE id = ${id}`);
      await confirmAddress(transaction, user.firebaseUid);
    });
    return {};
  },

  resetUserTwoFactor: async ({ db, builtIn, sendNotice }, { caller, params: { id } }) => {
    requireRecentLogin(caller);
    const user = await requireUser(db, id);
    // It takes a password to remove one's own.
    refuseOperator(caller, user);
    if (builtIn === null) throw new ApiError(calls.secondFactorElsewhere);
    const { firebaseUid } = user;
    await db.transaction(async (transaction) => {
      await record(transaction, "two-factor.reset", accountOf(user));
      await transaction.query(sql.type(Nothing)`
        WITH passkeys AS (DELETE FROM identity.passkey WHERE "userId" = ${firebaseUid}),
        factors AS (DELETE FROM identity."twoFactor" WHERE "userId" = ${firebaseUid})
        UPDATE identity."user" SET "twoFactorEnabled" = false WHERE id = ${firebaseUid}
      `);
    });
    await sendNotice(firebaseUid, "two-factor-disabled");
    return {};
  },

  deleteUser: async ({ db, accountDeletions }, { caller, params: { id }, body }) => {
    requireRecentLogin(caller);
    const user = await requireUser(db, id);
    refuseOperator(caller, user);
    if (user.username !== body.username) {
      throw new ApiError(invalidBody, { message: usernameDiffers, field: "username" });
    }
    await accountDeletions.delete({ userId: id, firebaseUid: user.firebaseUid });
    return {};
  },
});

const UserDetailsRow = z.extend(OperatorUser, {
  firebaseUid: z.string(),
  keys: z.array(z.object({ name: z.string(), start: z.string(), lastUsedAt: z.nullable(z.iso.datetime()) })),
  domains: z.array(z.string()),
});

const userColumns = sql.fragment`
  users.id, username, email, utc_text(users.created_at) AS "createdAt", is_operator AS "isOperator", state,
  ${countUpTo(COUNTED_LINKS_MAX, sql.fragment`links WHERE user_id = users.id`)} AS "linkCount",
  (SELECT count(*)::int FROM api_keys WHERE user_id = users.id) AS "keyCount",
  utc_text(last_login_at) AS "lastLoginAt"
`;

const SEARCHED_USERS = 50_000;

/**
 * Users whose name, address or domain contains the text, or who have this short link, the newest first. A page may be short or
 * empty before the last one.
 */
async function findUsers(
  db: Db<"any" | "maybeOneFirst">,
  { text, siteHost, before = 1_000_000_000 }: { text: string; siteHost: string; before: number | undefined },
): Promise<{ users: readonly OperatorUser[]; nextBefore: number | null }> {
  const q = text.toLowerCase();
  const end = await db.maybeOneFirst(sql.type(z.object({ id: z.int() }))`
    SELECT id FROM users WHERE id < ${before} ORDER BY id DESC OFFSET ${SEARCHED_USERS - 1} LIMIT 1
  `);
  const found = await db.any(sql.type(OperatorUser)`
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

const COUNTED_ROWS = 100_000;

function countStoredRows(db: Db<"one">, userId: number) {
  return db.one(sql.type(StoredRows)`
    SELECT ${countUpTo(COUNTED_ROWS, sql.fragment`clicks WHERE user_id = ${userId}`)} AS "clickRows",
    (SELECT coalesce(sum(row_count), 0)::int FROM earnings_reports WHERE user_id = ${userId}) AS "earningsRows"
  `);
}

const accountOf = ({ id, username }: UserKey) => ({ objectId: String(id), object: username, ownerId: id });

function refuseOperator(caller: OperatorCaller, user: UserKey): void {
  if (user.id === caller.userId) throw new ApiError(calls.ownAccount);
  if (user.isOperator) throw new ApiError(calls.operatorAccount);
}
