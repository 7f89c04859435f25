import { withoutActor } from "@tapthru/core/platform/actor";
import type { Logger } from "@tapthru/core/platform/logger";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { badKey, MISSING_SCOPE } from "@tapthru/proto/keys";
import { API_KEY_SCOPES, type ApiKeyScope } from "@tapthru/proto/rules/api-key";
import type { Context } from "koa";
import { sql } from "slonik";
import * as z from "zod/mini";
import type { AccountChecks } from "../accounts/account-checks.ts";
import { ApiError } from "../http/errors.ts";
import type { RateLimit } from "../http/rate-limits.ts";
import { isKey, keyHash } from "./key-text.ts";

const UsableKey = z.object({
  keyId: z.int(),
  userId: z.int(),
  /** The account in which the key acts; null for the user's own. */
  accountId: z.nullable(z.int()),
  firebaseUid: z.string(),
  name: z.string(),
  scopes: z.array(z.enum(API_KEY_SCOPES)),
});

/**
 * Returns the key's user and scopes. Each call reads Postgres, so that a revoked key is refused at once by all replicas.
 * @throws ApiError (bad-key) in the same way for an unknown, expired or revoked key, and for a disabled account
 */
export type AuthenticateKey = ReturnType<typeof createKeyAuthentication>;

export function createKeyAuthentication(deps: {
  db: Db<"maybeOne">;
  keyUsed(keyId: number): void;
  accountChecks: Pick<AccountChecks, "isDisabled">;
  apiKeyLimit: RateLimit;
}) {
  const { db, keyUsed, accountChecks, apiKeyLimit } = deps;
  return async (ctx: Context, text: string) => {
    const key = isKey(text) ? await findUsableKey(db, keyHash(text)) : null;
    if (key === null) {
      // Only failures count by address: an expired key in one script must not block the valid key of another.
      await apiKeyLimit.countAddress(ctx);
      throw new ApiError(badKey);
    }
    await apiKeyLimit.countVisitor(ctx, `key:${key.keyId}`);
    const { firebaseUid } = key;
    const isDisabled = await ctx.state.releaseSlotDuring(() => accountChecks.isDisabled(firebaseUid));
    if (isDisabled) throw new ApiError(badKey);
    keyUsed(key.keyId);
    ctx.state.keyName = key.name;
    return key;
  };
}

/** @returns null if the key is unknown, expired or revoked, or the account of its user is disabled or being deleted */
function findUsableKey(db: Db<"maybeOne">, hash: Buffer) {
  return db.maybeOne(sql.prepared("find-usable-key", UsableKey)`
    SELECT api_keys.id AS "keyId", user_id AS "userId", account_id AS "accountId", firebase_uid AS "firebaseUid", name, scopes
    FROM api_keys JOIN users ON users.id = user_id
    WHERE key_hash = ${sql.binary(hash)} AND (expires_at IS NULL OR expires_at > now())
      AND users.state = 'enabled' AND NOT EXISTS (
        SELECT FROM account_deletions WHERE account_deletions.firebase_uid = users.firebase_uid
      )
  `);
}

/** @param scopes null for a session, which may do everything */
export function requireScope(scopes: readonly ApiKeyScope[] | null, scope: ApiKeyScope): void {
  if (scopes !== null && !scopes.includes(scope)) throw new ApiError(MISSING_SCOPE[scope]);
}

const MINUTE_MS = 60_000;
/** Each has two numbers. */
const KEYS_REMEMBERED = 100_000;

/** Saves when a key was used, once a minute for each. No request waits for it, and a failure is only logged. */
export function createKeyUses({ db, logger }: { db: Db<"query">; logger: Logger }) {
  const minutes = new Map<number, number>();
  return (keyId: number): void => {
    const minute = Math.floor(Date.now() / MINUTE_MS);
    if (minutes.get(keyId) === minute) return;
    if (minutes.size >= KEYS_REMEMBERED) minutes.clear();
    minutes.set(keyId, minute);
    const usedAt = new Date(minute * MINUTE_MS).toISOString();
    const save = () =>
      db.query(sql.type(z.object({}))`
        UPDATE api_keys SET last_used_at = ${usedAt} WHERE id = ${keyId} AND (last_used_at IS NULL OR last_used_at < ${usedAt})
      `);
    withoutActor(save).catch((err) => {
      logger.warn({ event: "key_uses_not_saved", err }, "failed to save when a key was used");
    });
  };
}
