import { readFileSync } from "node:fs";
import { UserFacingError } from "@tapthru/core/platform/user-facing-error";
import * as z from "zod/mini";
import { changeAsCommand, recordAction } from "./change-as-command.ts";

/** An account in the file of `firebase auth:export --format=json`. */
const Account = z.object({
  localId: z.string().check(z.minLength(1), z.maxLength(128)),
  email: z.optional(z.string()),
  emailVerified: z._default(z.boolean(), false),
  displayName: z.optional(z.string()),
  /** Unix milliseconds. */
  createdAt: z._default(z.string().check(z.regex(/^\d{1,15}$/)), "0"),
  disabled: z._default(z.boolean(), false),
  passwordHash: z.optional(z.string()),
  salt: z.optional(z.string()),
});
type Account = z.infer<typeof Account>;
const Export = z.object({ users: z.array(Account) });

interface Identity {
  id: string;
  email: string;
  is_verified: boolean;
  name: string;
  created_at: number;
  password: string | null;
}

/**
 * Imports the accounts of a Firebase project. They keep their uids, so they remain the users that they were, and their
 * passwords. Those that exist are left as they are.
 * @param parametersFile the project's password hash parameters, as Firebase's console shows them
 * @returns what was imported
 */
export async function importFirebase(
  databaseUrl: string,
  accountsFile: string,
  parametersFile: string,
): Promise<string> {
  const prefix = passwordPrefix(readText(parametersFile));
  const { users } = parseExport(readText(accountsFile));
  const identities = users.flatMap((account) => identityOf(account, prefix));
  const imported = await insertIdentities(databaseUrl, identities);
  const unusable = users.length - identities.length;
  const existing = identities.length - imported;
  return `Imported ${imported} accounts. Not imported: ${existing} whose uid or email address exists, ${unusable} that are disabled or have no email address.`;
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    throw new UserFacingError(`Cannot read ${file}.`);
  }
}

function parseExport(text: string): z.infer<typeof Export> {
  try {
    return Export.parse(JSON.parse(text));
  } catch {
    throw new UserFacingError("The accounts are not an export of firebase auth:export as JSON.");
  }
}

/** The start of a stored password, which the api reads: services/api/src/accounts/built-in/firebase-scrypt.ts. */
function passwordPrefix(text: string): string {
  const [memoryCost, rounds, separator, signerKey] = [
    "mem_cost",
    "rounds",
    "base64_salt_separator",
    "base64_signer_key",
  ].map((name) => new RegExp(`\\b${name}["']?\\s*[:=]\\s*["']?([\\w+/-]+=*)`).exec(text)?.[1]);
  if (memoryCost && rounds && separator && signerKey)
    return `firebase-scrypt$${memoryCost}$${rounds}$${separator}$${signerKey}`;
  throw new UserFacingError(
    "The hash parameters must have base64_signer_key, base64_salt_separator, rounds and mem_cost.",
  );
}

function identityOf(account: Account, prefix: string): Identity[] {
  const { localId, email, passwordHash, salt } = account;
  if (email === undefined || account.disabled) return [];
  const hasPassword = passwordHash !== undefined && salt !== undefined;
  return [
    {
      id: localId,
      email: email.toLowerCase(),
      is_verified: account.emailVerified,
      name: account.displayName ?? "",
      created_at: Number(account.createdAt),
      password: hasPassword ? `${prefix}$${salt}$${passwordHash}` : null,
    },
  ];
}

/** @returns how many were new */
async function insertIdentities(databaseUrl: string, identities: readonly Identity[]): Promise<number> {
  return changeAsCommand(databaseUrl, "users import-firebase", async (client) => {
    const { rowCount } = await client.query(
      `WITH given AS (
         SELECT * FROM jsonb_to_recordset($1)
           AS account (id text, email text, is_verified boolean, name text, created_at bigint, password text)
       ), imported AS (
         INSERT INTO identity."user" (id, name, email, address, "emailVerified", "createdAt")
         SELECT id, name, email, email, is_verified, to_timestamp(created_at / 1000.0) FROM given
         ON CONFLICT DO NOTHING
         RETURNING id
       ), passwords AS (
         INSERT INTO identity.account (id, "accountId", "providerId", "userId", password, "updatedAt")
         SELECT gen_random_uuid()::text, id, 'credential', id, password, now()
         FROM given JOIN imported USING (id) WHERE password IS NOT NULL
       )
       SELECT FROM imported`,
      [JSON.stringify(identities)],
    );
    const count = rowCount ?? 0;
    if (count > 0) await recordAction(client, { action: "logins.imported", after: { count } });
    return count;
  });
}
