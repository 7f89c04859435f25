import { createPrivateKey, X509Certificate } from "node:crypto";
import type { CertificateKeys } from "@tapthru/core/platform/cipher";
import { createDependencyState } from "@tapthru/core/platform/dependency-state";
import type { Logger } from "@tapthru/core/platform/logger";
import { logInvalidRecord } from "@tapthru/core/platform/unreadable";
import { DOMAIN_PATTERN } from "@tapthru/proto/rules/short-code";
import type pg from "pg";
import * as z from "zod/mini";
import type { CertificateFiles } from "./certificate-files.ts";

const host = z.string().check(z.regex(DOMAIN_PATTERN));
const Served = z.object({ host, issued_at: z.date(), hsts: z.boolean() });
const Certificate = z.object({ host, chain: z.string(), encrypted_key: z.string() });

interface RoundDependencies {
  files: CertificateFiles;
  certificateKeys: Pick<CertificateKeys, "decrypt">;
  logger: Logger;
}

/** Makes the files like the rows. Rejects if Postgres is unavailable. */
export type Round = (db: Pick<pg.Client, "query">) => Promise<void>;

const BATCH = 100;

/**
 * Reads which certificates are served, then those of them that changed. A row that is not valid changes nothing. What could not
 * be written is written by the next round.
 */
export function createRound({ files, certificateKeys, logger }: RoundDependencies): Round {
  const disk = createDependencyState(logger, "certificates directory");
  const written = new Map<string, { issuedAt: number; hsts: boolean }>();
  let isComplete = false;
  /** In this round. */
  let hasDiskFailed = false;

  return async (db) => {
    hasDiskFailed = false;
    const { rows } = await db.query("SELECT host, issued_at, hsts FROM served_certificates");
    const served = readable(rows, Served);
    const byHost = new Map(served.map((row) => [row.host, row]));
    const changed = served.filter((row) => written.get(row.host)?.issuedAt !== row.issued_at.getTime());
    for (let start = 0; start < changed.length; start += BATCH) {
      const hosts = changed.slice(start, start + BATCH).map((row) => row.host);
      const { rows } = await db.query(
        "SELECT host, chain, encrypted_key FROM served_certificates WHERE host = ANY ($1)",
        [hosts],
      );
      for (const row of readable(rows, Certificate)) await writeOne(row, byHost);
    }
    for (const { host, hsts } of served) {
      const own = written.get(host);
      if (own === undefined || own.hsts === hsts) continue;
      await onDisk(async () => {
        await files.setHsts(host, hsts);
        own.hsts = hsts;
      });
    }
    await onDisk(async () => {
      // A row with an unreadable column still keeps its file.
      for (const host of await files.keepOnly(new Set(rows.map((row) => String(row.host))))) forget(host);
      if (hasDiskFailed || isComplete) return;
      await files.markComplete();
      isComplete = true;
    });
  };

  function forget(host: string): void {
    written.delete(host);
    logger.info({ event: "certificate_removed", host }, "removed the copy of a certificate");
  }

  async function writeOne(
    { host, chain, encrypted_key: encryptedKey }: z.output<typeof Certificate>,
    served: ReadonlyMap<string, z.output<typeof Served>>,
  ): Promise<void> {
    const row = served.get(host);
    const pem = pemOf(host, chain, encryptedKey);
    if (row === undefined || pem === null) return;
    await onDisk(async () => {
      await files.write(host, pem);
      await files.setHsts(host, row.hsts);
      written.set(host, { issuedAt: row.issued_at.getTime(), hsts: row.hsts });
      logger.info({ event: "certificate_copied", host }, "copied a certificate");
    });
  }

  /** Returns null if key and chain do not belong together or cannot be read. */
  function pemOf(host: string, chain: string, encryptedKey: string): string | null {
    try {
      const key = certificateKeys.decrypt(encryptedKey, host);
      if (new X509Certificate(chain).checkPrivateKey(createPrivateKey(key))) return `${key}\n${chain}`;
      throw new Error("the key belongs to another certificate");
    } catch (error) {
      const message = error instanceof Error ? error.message : "unreadable";
      const issues = [{ path: ["encrypted_key"], message }];
      logInvalidRecord(logger, "unreadable_row", "postgres", { host }, issues);
      return null;
    }
  }

  function readable<Schema extends z.ZodMiniType>(
    rows: readonly Record<string, unknown>[],
    schema: Schema,
  ): z.output<Schema>[] {
    return rows.flatMap((row) => {
      const parsed = z.safeParse(schema, row);
      if (parsed.success) return [parsed.data];
      const ids = { host: row.host };
      logInvalidRecord(logger, "unreadable_row", "postgres", ids, parsed.error.issues);
      return [];
    });
  }

  /** A full disk, or a file that cannot be written, does not end the round: the next one writes what is missing. */
  async function onDisk(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      if (!hasDiskFailed) disk.available();
    } catch (err) {
      hasDiskFailed = true;
      disk.unavailable(err);
    }
  }
}
