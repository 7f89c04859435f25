import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { notFound } from "@tapthru/proto/general-errors";
import { sql } from "slonik";
import * as z from "zod/mini";
import { ApiError } from "../http/errors.ts";

export const OPERATOR_PAGE_SIZE = 50;

/** The owner of a link, by the table `owner`; null: the link was created without an account. */
export const ownerObject = sql.fragment`
  CASE WHEN owner.id IS NOT NULL THEN jsonb_build_object('id', owner.id, 'username', owner.username) END
`;

const UserKey = z.object({
  id: z.int(),
  username: z.string(),
  firebaseUid: z.string(),
  isOperator: z.boolean(),
});
export type UserKey = z.infer<typeof UserKey>;

/** @throws ApiError (not-found) if there is no such user */
export async function requireUser(db: Db<"maybeOne">, id: number): Promise<UserKey> {
  const user = await db.maybeOne(sql.type(UserKey)`
    SELECT id, username, firebase_uid AS "firebaseUid", is_operator AS "isOperator"
    FROM users WHERE id = ${id}
  `);
  if (user === null) throw new ApiError(notFound);
  return user;
}
