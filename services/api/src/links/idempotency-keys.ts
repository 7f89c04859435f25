import { hash } from "node:crypto";
import type { IdempotencyKey } from "@tapthru/core/links/plan-link";
import { createCipher } from "@tapthru/core/platform/cipher";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import type { NewLink } from "@tapthru/proto/create-links";
import { idempotencyKeyReused } from "@tapthru/proto/generate";
import { unusableLink } from "@tapthru/proto/rules/link-errors";
import { sql } from "slonik";
import * as z from "zod/mini";
import { ApiError } from "../http/errors.ts";
import type { Creator } from "./creator.ts";
import { LinkRow, linkColumns } from "./link-row.ts";

const CIPHER_OWNER = "claim token";

interface Replay {
  isNew: boolean;
  row: LinkRow;
  claimToken?: string;
}

/**
 * Each user has their own keys; visitors share theirs, because the first request of one has no claim token yet. The key itself
 * is not stored.
 */
export function readKey(text: string, { url, ...link }: NewLink, creator: Creator): IdempotencyKey {
  const requestHash = sha256(JSON.stringify({ url: url.trim(), ...link }));
  if (creator.userId !== null) {
    const user = `user:${creator.userId}`;
    const keyHash = sha256(`${user}:${text}`);
    return { keyHash, requestHash, visitorKey: sha256(user), claimCipherText: null };
  }
  const { newClaimToken: token } = creator;
  const visitorKey = token === null ? creator.visitorKey.toString("hex") : null;
  const claimCipherText = token && createCipher([text]).encrypt(token, CIPHER_OWNER);
  return { keyHash: sha256(text), requestHash, visitorKey, claimCipherText };
}

function sha256(text: string): string {
  return hash("sha256", text);
}

/** The result of a request whose key was used before. @param text the key as sent */
export function replayOf(use: KeyUse, { requestHash, visitorKey }: IdempotencyKey, text: string): Replay | ApiError {
  // The same visitor, or the claim token that the first response issued.
  const isSameVisitor = use.visitorKey === visitorKey || (visitorKey !== null && use.claimHash === visitorKey);
  if (use.requestHash !== requestHash || !isSameVisitor) {
    return new ApiError(idempotencyKeyReused);
  }
  if (use.takenDown) return new ApiError(unusableLink);
  const { isNew } = use;
  if (visitorKey !== null || use.claimCipherText === null) return { isNew, row: use };
  const claimToken = createCipher([text]).decrypt(use.claimCipherText, CIPHER_OWNER);
  return { isNew, row: use, claimToken };
}

/** Hashes are hexadecimal. */
const KeyUse = z.extend(LinkRow, {
  keyHash: z.string(),
  isNew: z.boolean(),
  visitorKey: z.nullable(z.string()),
  requestHash: z.string(),
  claimHash: z.nullable(z.string()),
  claimCipherText: z.nullable(z.string()),
});
type KeyUse = z.infer<typeof KeyUse>;

export function findKeyUses(db: Db<"any">, keyHashes: readonly string[]) {
  return db.any(sql.prepared("find-key-uses", KeyUse)`
    SELECT ${linkColumns}, encode(key.key_hash, 'hex') AS "keyHash", key.created_at = link.created_at AS "isNew",
      encode(key.visitor_key, 'hex') AS "visitorKey", encode(key.request_hash, 'hex') AS "requestHash",
      encode(link.claim_hash, 'hex') AS "claimHash", claim_cipher_text AS "claimCipherText"
    FROM idempotency_keys key
    JOIN links link USING (short_code) LEFT JOIN products product USING (canonical_url)
    WHERE key.key_hash IN (
      SELECT decode(hash, 'hex') FROM unnest(${sql.array(keyHashes, "text")}) AS hash
    )
  `);
}
