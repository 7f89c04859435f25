import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { sql } from "slonik";
import * as z from "zod/mini";

const DigestRow = z.object({
  isOn: z.boolean(),
  emailIsVerified: z.boolean(),
  /** Unix milliseconds; null if none was sent. */
  sentAt: z.nullable(z.number()),
});

/** @returns null if there is no such user */
export function findDigest(db: Db<"maybeOne">, userId: number) {
  return db.maybeOne(sql.type(DigestRow)`
    SELECT unsubscribed_at IS NULL AS "isOn", email_is_verified AS "emailIsVerified",
      sent_at AS "sentAt"
    FROM users LEFT JOIN digests ON user_id = users.id WHERE users.id = ${userId}
  `);
}

export async function switchDigest(db: Db<"query">, userId: number, isOn: boolean): Promise<void> {
  const unsubscribedAt = isOn ? sql.fragment`NULL` : sql.fragment`now()`;
  await db.query(sql.type(z.object({}))`
    INSERT INTO digests (user_id, unsubscribed_at) VALUES (${userId}, ${unsubscribedAt})
    ON CONFLICT (user_id) DO UPDATE SET unsubscribed_at = excluded.unsubscribed_at
  `);
}

/** @returns whether a user has the token */
export async function unsubscribe(db: Db<"maybeOne">, token: string): Promise<boolean> {
  const row = await db.maybeOne(sql.type(z.object({ userId: z.int() }))`
    UPDATE digests SET unsubscribed_at = coalesce(unsubscribed_at, now())
    WHERE unsubscribe_token = ${token} RETURNING user_id AS "userId"
  `);
  return row !== null;
}
