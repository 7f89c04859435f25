import { createHash, randomBytes } from "node:crypto";
import { deleted, inserted } from "@tapthru/core/events";
import { changing, type Db } from "@tapthru/core/platform/postgres/postgres";
import { milliseconds } from "@tapthru/core/platform/postgres/values";
import { invitationInvalid, signUpClosed } from "@tapthru/proto/accounts";
import { Invitation, tooManyInvitations } from "@tapthru/proto/operator/sign-up";
import type { SignUpMode } from "@tapthru/proto/public-config";
import { INVITATION_LIFETIME_MS, INVITATIONS_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { sql } from "slonik";
import * as z from "zod/mini";
import { ApiError } from "../http/errors.ts";

/** @throws ApiError if sign-up is closed, or the invitation is missing or invalid */
export async function checkInvitation(db: Db<"exists">, mode: SignUpMode, token: string | undefined): Promise<void> {
  if (token === undefined) return requireNoInvitation(mode);
  const isOpen = await db.exists(sql.type(z.object({}))`
    SELECT FROM invitations WHERE token_hash = ${hashOf(token)} AND expires_at > now()
  `);
  if (!isOpen) throw new ApiError(invitationInvalid);
}

/** One that makes an operator uses up all others that do. @returns whether it makes an operator @throws ApiError */
export async function acceptInvitation(
  transaction: Db<"maybeOneFirst">,
  mode: SignUpMode,
  token: string | undefined,
): Promise<boolean> {
  if (token === undefined) {
    requireNoInvitation(mode);
    return false;
  }
  const makesOperator = await transaction.maybeOneFirst(sql.type(z.object({ makesOperator: z.boolean() }))`
    WITH ${deleted("invitation.deleted")`EXISTS (
      SELECT FROM invitations AS used WHERE used.token_hash = ${hashOf(token)} AND used.expires_at > now()
        AND (invitations.id = used.id OR invitations.makes_operator AND used.makes_operator)
    )`}
    SELECT makes_operator AS "makesOperator" FROM object WHERE token_hash = ${hashOf(token)}
  `);
  if (makesOperator === null) throw new ApiError(invitationInvalid);
  return makesOperator;
}

function requireNoInvitation(mode: SignUpMode): void {
  if (mode === "invitation") throw new ApiError(invitationInvalid);
  if (mode === "closed") throw new ApiError(signUpClosed);
}

const invitationColumns = sql.fragment`
  id, email, utc_text(created_at) AS "createdAt", utc_text(expires_at) AS "expiresAt"
`;

/** The invitations that can still be used, the newest first, without that of the first operator. */
export function findInvitations(db: Db<"any">) {
  return db.any(sql.type(Invitation)`
    SELECT ${invitationColumns} FROM invitations
    WHERE expires_at > now() AND NOT makes_operator ORDER BY id DESC
  `);
}

/** @throws ApiError if there are too many */
export async function insertInvitation(
  db: Db<"maybeOne">,
  email: string | null,
): Promise<Invitation & { token: string }> {
  const token = randomBytes(24).toString("base64url");
  const invitation = await db.maybeOne(changing(Invitation)`
    WITH ${inserted("invitation.created")`(token_hash, email, expires_at)
      SELECT ${hashOf(token)}, ${email}, now() + ${milliseconds(INVITATION_LIFETIME_MS)}
      WHERE (SELECT count(*) FROM invitations WHERE expires_at > now()) < ${INVITATIONS_MAX_COUNT}`}
    SELECT ${invitationColumns} FROM object
  `);
  if (invitation === null) throw new ApiError(tooManyInvitations);
  return { ...invitation, token };
}

/** @returns false if there is no such invitation */
export async function deleteInvitation(db: Db<"maybeOne">, id: number): Promise<boolean> {
  const invitation = await db.maybeOne(changing(z.object({ id: z.int() }))`
    WITH ${deleted("invitation.deleted")`id = ${id} AND NOT makes_operator`} SELECT id FROM object
  `);
  return invitation !== null;
}

function hashOf(token: string) {
  return sql.binary(createHash("sha256").update(token).digest());
}
