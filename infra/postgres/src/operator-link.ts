import { createHash, randomBytes } from "node:crypto";
import { INVITATION_LIFETIME_MS } from "@tapthru/proto/rules/limits";
import { paths } from "@tapthru/proto/rules/paths";
import { withClient } from "./with-client.ts";

/** Creates a link with which one person can sign up as an operator. It is valid until one of these links is used. */
export async function createOperatorLink(
  databaseUrl: string,
  publicBaseUrl: string,
  command = "users operator-link",
): Promise<string> {
  const token = randomBytes(24).toString("base64url");
  const hash = createHash("sha256").update(token).digest();
  const insert = `
    WITH invitation AS (
      INSERT INTO invitations (token_hash, makes_operator, expires_at)
      VALUES ($1, true, now() + $2 * interval '1 millisecond') RETURNING id, makes_operator, expires_at
    )
    INSERT INTO audit_log (actor, actor_name, action, object_id, object, after)
    SELECT 'command', $3, 'invitation.created', id::text, id::text,
      jsonb_build_object('makes_operator', makes_operator, 'expires_at', expires_at)
    FROM invitation`;
  await withClient(databaseUrl, (client) => client.query(insert, [hash, INVITATION_LIFETIME_MS, command]));
  return `${publicBaseUrl}${paths.signup}?invitation=${token}`;
}

/** Says who creates the first account, with the link for it. @returns null if an account exists */
export async function firstAccountMessage(databaseUrl: string, publicBaseUrl: string): Promise<string | null> {
  const { rowCount } = await withClient(databaseUrl, (client) => client.query("SELECT FROM users LIMIT 1"));
  if (rowCount !== 0) return null;
  const link = await createOperatorLink(databaseUrl, publicBaseUrl, "migrate");
  return `There is no account yet. The operator signs up here, within 7 days:\n${link}`;
}
