import { createHash, randomBytes } from "node:crypto";
import { UserFacingError } from "@tapthru/core/platform/user-facing-error";
import { EMAIL_LINK_LIFETIME_MS } from "@tapthru/proto/rules/limits";
import { paths } from "@tapthru/proto/rules/paths";
import { changeAsCommand, recordAction } from "./change-as-command.ts";

/** SQL of the id of the user with the address `$1`: the one who has confirmed it, or else the only one. Null: none, or it is not certain. */
const USER_OF_EMAIL = `(
  SELECT max(id) FILTER (WHERE email_is_verified OR of_address = 1)
  FROM (SELECT id, email_is_verified, count(*) OVER () AS of_address FROM users WHERE email = lower($1)) AS of_email
)`;

/**
 * Makes a user an operator, and enables their account. Links that were taken down with it work again.
 * @returns their username
 * @throws UserFacingError if no user has the email address, or several have it and none has confirmed it
 */
export async function makeOperator(databaseUrl: string, email: string): Promise<string> {
  const { rows } = await changeAsCommand(databaseUrl, "users make-operator", (client) =>
    client.query<{ username: string }>(
      `WITH found AS MATERIALIZED (
         SELECT id, state FROM users WHERE id = ${USER_OF_EMAIL} FOR NO KEY UPDATE
       ), restored AS (
         INSERT INTO mass_changes (kind, payload)
         SELECT 'take-down', jsonb_build_object(
           'links', jsonb_build_object('cause', 'user', 'userId', id), 'isTakenDown', false)
         FROM found WHERE state = 'blocked'
       )
       UPDATE users SET is_operator = true, state = 'enabled' FROM found WHERE users.id = found.id
       RETURNING username`,
      [email],
    ),
  );
  const [user] = rows;
  if (user) return user.username;
  throw new UserFacingError(`No user has the address ${email}, or several have it and none has confirmed it.`);
}

/**
 * Takes the role from an operator.
 * @returns their username
 * @throws UserFacingError if no operator is known by the email address, or no other one would remain
 */
export async function removeOperator(databaseUrl: string, email: string): Promise<string> {
  return changeAsCommand(databaseUrl, "users remove-operator", async (client) => {
    const { rows: operators } = await client.query<{
      id: number;
      found: boolean;
      canLogIn: boolean;
    }>(
      `SELECT id, coalesce(id = ${USER_OF_EMAIL}, false) AS found, state = 'enabled'
         AND NOT EXISTS (SELECT FROM account_deletions AS deletion WHERE deletion.user_id = users.id) AS "canLogIn"
       FROM users WHERE is_operator ORDER BY id FOR NO KEY UPDATE`,
      [email],
    );
    const operator = operators.find(({ found }) => found);
    if (!operator) throw new UserFacingError(`No operator has the address ${email}.`);
    if (!operators.some(({ found, canLogIn }) => canLogIn && !found)) {
      throw new UserFacingError("They are the last operator. Make another user an operator first.");
    }
    const { rows } = await client.query<{ username: string }>(
      "UPDATE users SET is_operator = false WHERE id = $1 RETURNING username",
      [operator.id],
    );
    return rows[0]?.username ?? "";
  });
}

/**
 * Creates what the library better-auth stores for a link in an email.
 * @throws UserFacingError if the built-in identity provider has no login with this address
 */
export async function createResetLink(databaseUrl: string, publicBaseUrl: string, email: string): Promise<string> {
  const token = randomBytes(24).toString("base64url");
  const identifier = createHash("sha256").update(`reset-password:${token}`).digest("base64url");
  const isCreated = await changeAsCommand(databaseUrl, "users reset-password", async (client) => {
    const { rows } = await client.query<{ uid: string }>(
      `INSERT INTO identity.verification (id, identifier, value, "expiresAt")
       SELECT gen_random_uuid()::text, $1, id, now() + $2 * interval '1 millisecond'
       FROM identity."user" WHERE email = lower($3)
       RETURNING value AS uid`,
      [identifier, EMAIL_LINK_LIFETIME_MS, email],
    );
    if (rows[0] === undefined) return false;
    // The operator knows who they are: none of their ways in ends with the reset.
    await client.query(`UPDATE identity."user" SET "emailVerified" = true WHERE id = $1 AND email = address`, [
      rows[0].uid,
    ]);
    const { rows: users } = await client.query<{ id: number; username: string }>(
      "SELECT id, username FROM users WHERE firebase_uid = $1",
      [rows[0].uid],
    );
    for (const { id, username: object } of users) {
      const user = { objectId: String(id), object, ownerId: id };
      await recordAction(client, { action: "password-link.created", ...user });
    }
    return true;
  });
  if (isCreated) return `${publicBaseUrl}${paths.resetPassword}#token=${token}`;
  throw new UserFacingError(`No user logs in with the address ${email}.`);
}
