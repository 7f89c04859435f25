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
  keyUses: Pick<ReturnType<typeof createKeyUses>, "record">;
  accountChecks: Pick<AccountChecks, "isDisabled">;
  apiKeyLimit: RateLimit;
}) {
  const { db, keyUses, accountChecks, apiKeyLimit } = deps;
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
    keyUses.record(key.keyId);
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

const SAVE_INTERVAL_MS = 10_000;

/** Remembers when keys were used, and saves it in batches, so that no request waits for it. */
export function createKeyUses({ db, logger }: { db: Db<"query">; logger: Logger }) {
  let lastUses = new Map<number, Date>();
  let timer: NodeJS.Timeout | undefined;

  /** Never rejects. What could not be saved is saved with the next batch. */
  async function save(): Promise<void> {
    if (lastUses.size === 0) return;
    const saved = lastUses;
    lastUses = new Map();
    try {
      await saveKeyUses(db, saved);
    } catch (err) {
      lastUses = new Map([...saved, ...lastUses]);
      logger.warn({ event: "key_uses_not_saved", err }, "failed to save when keys were used");
    }
  }

  return {
    name: "uses of API keys",
    async start() {
      timer = setInterval(save, SAVE_INTERVAL_MS);
    },
    async stop() {
      clearInterval(timer);
      await save();
    },
    record(keyId: number) {
      lastUses.set(keyId, new Date());
    },
    save,
  };
}

/** Times only move forward. Rows are locked in the order of their ids, to avoid deadlocks between replicas. */
async function saveKeyUses(db: Db<"query">, uses: ReadonlyMap<number, Date>): Promise<void> {
  const usedAt = [...uses.values()].map((time) => time.toISOString());
  await db.query(sql.type(z.object({}))`
    WITH use AS (
      SELECT api_keys.id, date_trunc('minute', used_at) AS minute
      FROM unnest(${sql.array([...uses.keys()], "int4")}, ${sql.array(usedAt, "timestamptz")})
        AS used (id, used_at)
      JOIN api_keys USING (id)
      WHERE last_used_at IS NULL OR last_used_at < date_trunc('minute', used_at)
      ORDER BY api_keys.id FOR NO KEY UPDATE OF api_keys
    )
    UPDATE api_keys SET last_used_at = greatest(last_used_at, minute)
    FROM use WHERE api_keys.id = use.id
  `);
}
