import { createHash, randomBytes } from "node:crypto";
import { UserFacingError } from "@tapthru/core/platform/user-facing-error";
import { EMAIL_LINK_LIFETIME_MS } from "@tapthru/proto/rules/limits";
import { paths } from "@tapthru/proto/rules/paths";
import { createOperatorLink } from "../operator-link.ts";
import { withClient } from "../with-client.ts";

const USAGE = `Usage:
  users operator-link             prints a link with which an operator can sign up within 7 days
  users make-operator <email>     makes a user an operator, and enables their account
  users remove-operator <email>   takes the role from an operator
  users reset-password <email>    prints a link with which a user can choose a new password within an hour`;

/** The id of the user with the address `$1`: the one who has confirmed it, otherwise the only one. */
const USER_OF_EMAIL = `(
  SELECT max(id) FILTER (WHERE email_is_verified OR of_address = 1)
  FROM (SELECT id, email_is_verified, count(*) OVER () AS of_address FROM users WHERE email = lower($1)) AS of_email
)`;

/** The end of a statement that changed a user, `changed`. */
const recordedBy = (command: string, columns: string) => `recorded AS (
    INSERT INTO audit_log (actor, actor_name, owner_id, action, object_id, object, before, after)
    SELECT 'command', '${command}', id, 'account.changed', id::text, username, '{}', jsonb_build_object(${columns})
    FROM changed
  )
  SELECT username FROM changed`;

const MAKE_OPERATOR = `
  WITH changed AS (
    UPDATE users SET is_operator = true, state = 'enabled' WHERE id = ${USER_OF_EMAIL} RETURNING *
  ), ${recordedBy("users make-operator", "'is_operator', is_operator, 'state', state")}`;

const REMOVE_OPERATOR = `
  WITH found AS MATERIALIZED (
    SELECT id, state = 'enabled' AND id NOT IN (SELECT user_id FROM account_deletions) AS can_log_in
    FROM users WHERE is_operator ORDER BY id FOR NO KEY UPDATE
  ), changed AS (
    UPDATE users SET is_operator = false
    WHERE is_operator AND id = ${USER_OF_EMAIL}
      AND EXISTS (SELECT FROM found WHERE can_log_in AND found.id <> users.id)
    RETURNING *
  ), ${recordedBy("users remove-operator", "'is_operator', is_operator")}`;

/**
 * Inserts what the library better-auth stores for the link in an email. The operator knows the person: the address counts
 * as confirmed, so that none of their ways in ends with the reset.
 */
const CREATE_PASSWORD_LINK = `
  WITH login AS (
    UPDATE identity."user" SET "emailVerified" = "emailVerified" OR email = address WHERE email = lower($1) RETURNING id
  ), recorded AS (
    INSERT INTO audit_log (actor, actor_name, owner_id, action, object_id, object)
    SELECT 'command', 'users reset-password', users.id, 'password-link.created', users.id::text, username
    FROM users JOIN login ON firebase_uid = login.id
  )
  INSERT INTO identity.verification (id, identifier, value, "expiresAt")
  SELECT gen_random_uuid()::text, $2, id, now() + $3 * interval '1 millisecond' FROM login
  RETURNING value`;

/** Runs one of the commands in USAGE and prints its result. @throws UserFacingError if it is unknown or changes nothing */
export async function runUsersCommand(databaseUrl: string, publicBaseUrl: string, args: string[]): Promise<void> {
  const [name = "", email = ""] = args;
  async function change(statement: string, failure: string, ...values: unknown[]) {
    const { rows } = await withClient(databaseUrl, (client) => client.query(statement, [email, ...values]));
    const [row] = rows;
    if (row === undefined) throw new UserFacingError(failure);
    return row;
  }

  if (name === "operator-link" && args.length === 1) {
    const link = await createOperatorLink(databaseUrl, publicBaseUrl);
    console.log(`One person can sign up as an operator here, within 7 days:\n${link}`);
  } else if (name === "make-operator" && args.length === 2) {
    const failure = `No user has the address ${email}, or several have it and none has confirmed it.`;
    const { username } = await change(MAKE_OPERATOR, failure);
    console.log(`${username} is an operator now.`);
  } else if (name === "remove-operator" && args.length === 2) {
    const failure = `No operator has the address ${email}, or no other operator can log in.`;
    const { username } = await change(REMOVE_OPERATOR, failure);
    console.log(`${username} is not an operator any more.`);
  } else if (name === "reset-password" && args.length === 2) {
    const token = randomBytes(24).toString("base64url");
    const identifier = createHash("sha256").update(`reset-password:${token}`).digest("base64url");
    const failure = `No user logs in with the address ${email}.`;
    await change(CREATE_PASSWORD_LINK, failure, identifier, EMAIL_LINK_LIFETIME_MS);
    const link = `${publicBaseUrl}${paths.resetPassword}#token=${token}`;
    console.log(`With this link a new password for ${email} can be chosen within an hour:\n${link}`);
  } else throw new UserFacingError(USAGE);
}
