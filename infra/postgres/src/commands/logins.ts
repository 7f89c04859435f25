import { createHash, randomBytes } from "node:crypto";
import { EMAIL_LINK_LIFETIME_MS } from "@tapthru/proto/rules/limits";
import { paths } from "@tapthru/proto/rules/paths";
import { UserFacingError } from "@tapthru/runtime/user-facing-error";
import { withClient } from "../with-client.ts";

/**
 * Makes a user an operator.
 * @returns their username
 * @throws UserFacingError if no user has the email address, or several have it and none has confirmed it
 */
export async function makeOperator(databaseUrl: string, email: string): Promise<string> {
  const { rows } = await withClient(databaseUrl, (client) =>
    client.query<{ username: string }>(
      `UPDATE users SET is_operator = true
       WHERE id = (
         SELECT max(id) FILTER (WHERE email_is_verified OR of_address = 1)
         FROM (SELECT id, email_is_verified, count(*) OVER () AS of_address FROM users WHERE email = lower($1)) AS found
       )
       RETURNING username`,
      [email],
    ),
  );
  const [user] = rows;
  if (user) return user.username;
  throw new UserFacingError(
    `No user has the address ${email}, or several have it and none has confirmed it.`,
  );
}

/**
 * Creates what the library better-auth stores for a link in an email.
 * @throws UserFacingError if the built-in identity provider has no login with this address
 */
export async function createResetLink(
  databaseUrl: string,
  publicBaseUrl: string,
  email: string,
): Promise<string> {
  const token = randomBytes(24).toString("base64url");
  const identifier = createHash("sha256").update(`reset-password:${token}`).digest("base64url");
  const { rowCount } = await withClient(databaseUrl, (client) =>
    client.query(
      `INSERT INTO identity.verification (id, identifier, value, "expiresAt")
       SELECT gen_random_uuid()::text, $1, id, now() + $2 * interval '1 millisecond'
       FROM identity."user" WHERE email = lower($3)`,
      [identifier, EMAIL_LINK_LIFETIME_MS, email],
    ),
  );
  if (rowCount === 1) return `${publicBaseUrl}${paths.resetPassword}#token=${token}`;
  throw new UserFacingError(`No user logs in with the address ${email}.`);
}
