import type { CertificateKeys } from "@tapthru/core/platform/cipher";
import type { Logger } from "@tapthru/core/platform/logger";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { sql } from "slonik";
import * as z from "zod/mini";
import { type Account, type Authority, AuthorityError } from "./authority.ts";

const Row = z.object({ url: z.string(), encryptedKey: z.string(), thumbprint: z.string() });

/** @throws AuthorityError if there is none yet and it cannot be created */
export type FindAccount = () => Promise<Account>;

interface AccountDependencies {
  db: Db<"maybeOne" | "query">;
  directoryUrl: string;
  email: string | null;
  certificateKeys: CertificateKeys;
  authority: Authority;
  logger: Pick<Logger, "warn">;
}

/** Between two attempts to create it. */
const PAUSE_MS = 60_000;

/** Finds the account at the certificate authority, which is created once for each directory. */
export function createAccounts(deps: AccountDependencies): FindAccount {
  const { db, directoryUrl, email, certificateKeys, authority, logger } = deps;
  let failure: { error: AuthorityError; at: number } | null = null;

  async function read(): Promise<Account | { unreadableKey: string } | null> {
    const row = await db.maybeOne(sql.type(Row)`
      SELECT url, encrypted_key AS "encryptedKey", thumbprint FROM acme_accounts
      WHERE directory_url = ${directoryUrl}
    `);
    if (row === null) return null;
    const { url, encryptedKey, thumbprint } = row;
    try {
      return { url, key: certificateKeys.decrypt(encryptedKey, directoryUrl), thumbprint };
    } catch {
      return { unreadableKey: encryptedKey };
    }
  }

  /** If two workers create one, the first row is used, and the other account is never used. Replaces one whose key is lost. */
  async function create(unreadableKey: string | null): Promise<void> {
    if (failure !== null && performance.now() < failure.at + PAUSE_MS) throw failure.error;
    const { url, key, thumbprint } = await authority.createAccount(email).catch((error) => {
      if (!(error instanceof AuthorityError)) throw error;
      failure = { error, at: performance.now() };
      const { problem, message } = error;
      logger.warn(
        { event: "certificate_order_failed", problem, reason: message },
        "there is no account at the certificate authority",
      );
      throw error;
    });
    await db.query(sql.type(z.object({}))`
      INSERT INTO acme_accounts (directory_url, url, encrypted_key, thumbprint)
      VALUES (${directoryUrl}, ${url}, ${certificateKeys.encrypt(key, directoryUrl)}, ${thumbprint})
      ON CONFLICT (directory_url) DO UPDATE
        SET url = excluded.url, encrypted_key = excluded.encrypted_key, thumbprint = excluded.thumbprint
        WHERE acme_accounts.encrypted_key = ${unreadableKey}
    `);
  }

  return async () => {
    const found = await read();
    if (found !== null && "url" in found) return found;
    await create(found?.unreadableKey ?? null);
    const created = await read();
    if (created === null || !("url" in created)) throw new Error("The account is missing");
    return created;
  };
}

/** Returns null while the certificate authority refuses an account or is unavailable. */
export async function accountOrNull(findAccount: FindAccount): Promise<Account | null> {
  try {
    return await findAccount();
  } catch (error) {
    if (error instanceof AuthorityError) return null;
    throw error;
  }
}
