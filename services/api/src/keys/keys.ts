import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { isoOrNull } from "@tapthru/core/platform/postgres/values";
import type { ApiKey, createKey } from "@tapthru/proto/http/keys";
import { KEYS_MAX_COUNT } from "@tapthru/proto/rules/limits";
import type * as z from "zod/mini";
import { lockUser } from "../accounts/queries.ts";
import { findSessionUser } from "../accounts/users.ts";
import { ApiError, malformed } from "../errors.ts";
import type { LiveSession } from "../sessions/sessions.ts";
import { keyHash, keyStart, randomKey } from "./key-text.ts";
import { countKeys, insertKey, type KeyRow } from "./queries.ts";

/** @throws ApiError (too-many-keys, or login-required if the account is being deleted; invalid-body for a scope of operators) */
export function addKey(
  db: Db<"transaction">,
  session: Pick<LiveSession, "userId" | "firebaseUid">,
  { name, scopes, expiresAt }: z.output<typeof createKey.body>,
): Promise<{ key: string; row: KeyRow }> {
  const { userId } = session;
  const key = randomKey();
  return db.transaction(async (transaction) => {
    await lockUser(transaction, userId);
    const { isOperator } = await findSessionUser(transaction, session);
    // As for a scope that does not exist.
    if (scopes.includes("operator") && !isOperator) throw malformed("scopes");
    if ((await countKeys(transaction, userId)) >= KEYS_MAX_COUNT) {
      throw new ApiError("too-many-keys");
    }
    const row = await insertKey(transaction, {
      userId,
      name,
      hash: keyHash(key),
      start: keyStart(key),
      scopes,
      expiresAt: expiresAt ?? null,
    });
    return { key, row };
  });
}

export function keyReply({ createdAt, expiresAt, lastUsedAt, ...row }: KeyRow): ApiKey {
  return {
    ...row,
    createdAt: new Date(createdAt).toISOString(),
    expiresAt: isoOrNull(expiresAt),
    lastUsedAt: isoOrNull(lastUsedAt),
  };
}
