import { createHash, randomBytes } from "node:crypto";
import { INVITATION_LIFETIME_MS } from "@tapthru/proto/rules/limits";
import { paths } from "@tapthru/proto/rules/paths";
import { changeAsCommand } from "./commands/change-as-command.ts";
import { withClient } from "./with-client.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;

/** How long the link of an operator is valid, for messages. */
export const OPERATOR_LINK_DAYS: number = INVITATION_LIFETIME_MS / DAY_MS;

/** A link with which one person can sign up as an operator. It is valid until one of these links is used. */
export async function createOperatorLink(
  databaseUrl: string,
  publicBaseUrl: string,
  command = "users operator-link",
): Promise<string> {
  const token = randomBytes(24).toString("base64url");
  await changeAsCommand(databaseUrl, command, (client) =>
    client.query(
      `INSERT INTO invitations (token_hash, makes_operator, expires_at)
       VALUES ($1, true, now() + $2 * interval '1 millisecond')`,
      [createHash("sha256").update(token).digest(), INVITATION_LIFETIME_MS],
    ),
  );
  return `${publicBaseUrl}${paths.signup}?invitation=${token}`;
}

/** What to say about the first account, with its link; null if an account exists. */
export async function firstAccountMessage(databaseUrl: string, publicBaseUrl: string): Promise<string | null> {
  const { rowCount } = await withClient(databaseUrl, (client) => client.query("SELECT FROM users LIMIT 1"));
  if (rowCount !== 0) return null;
  const link = await createOperatorLink(databaseUrl, publicBaseUrl, "migrate");
  return `There is no account yet. The operator signs up here, within ${OPERATOR_LINK_DAYS} days:\n${link}`;
}
