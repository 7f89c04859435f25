import type { Db } from "@tapthru/core/platform/postgres/postgres";
import * as calls from "@tapthru/proto/http/digest";
import { sql } from "slonik";
import * as z from "zod/mini";
import type { Api } from "../api.ts";
import { ApiError } from "../errors.ts";
import { handlers } from "../handlers.ts";

/** None of these calls accepts an API key. */
export const digestHandlers = handlers(calls, {
  getDigest: (api, { userId }) => digestSettings(api, userId),

  saveDigest: async (api, { userId, body: { isOn } }) => {
    const unsubscribedAt = isOn ? sql.fragment`NULL` : sql.fragment`now()`;
    await api.db.query(sql.type(z.object({}))`
      INSERT INTO digests (user_id, unsubscribed_at) VALUES (${userId}, ${unsubscribedAt})
      ON CONFLICT (user_id) DO UPDATE SET unsubscribed_at = excluded.unsubscribed_at
    `);
    return digestSettings(api, userId);
  },
});

async function digestSettings({ db, sendsDigests }: Api, userId: number) {
  const digest = await findDigest(db, userId);
  if (digest === null) throw new ApiError("login-required");
  return { ...digest, isAvailable: sendsDigests };
}

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
