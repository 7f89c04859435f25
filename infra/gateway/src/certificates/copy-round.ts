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
const Certificate = z.object({ ...Served.shape, chain: z.string(), encrypted_key: z.string() });

const versionOf = ({ issued_at, hsts }: z.output<typeof Served>) => `${issued_at.getTime()} ${hsts}`;

interface RoundDependencies {
  files: CertificateFiles;
  certificateKeys: Pick<CertificateKeys, "decrypt">;
  logger: Logger;
}

/** Makes the files like the rows. Rejects if Postgres is unavailable. */
export type Round = (db: Pick<pg.Pool, "query">) => Promise<void>;

const BATCH = 100;

/**
 * Reads which certificates are served, then those of them that changed. A row that is not valid changes nothing. What could not
 * be written is written by the next round.
 */
export function createRound({ files, certificateKeys, logger }: RoundDependencies): Round {
  const disk = createDependencyState(logger, "certificates directory");
  /** The versions of the files, by host. */
  const written = new Map<string, string>();
  let isComplete = false;
  /** In this round. */
  let hasDiskFailed = false;

  return async (db) => {
    hasDiskFailed = false;
    const { rows } = await db.query("SELECT host, issued_at, hsts FROM served_certificates");
    const changed = readable(rows, Served).filter((row) => written.get(row.host) !== versionOf(row));
    for (let start = 0; start < changed.length; start += BATCH) {
      const hosts = changed.slice(start, start + BATCH).map((row) => row.host);
      const { rows } = await db.query(
        "SELECT host, issued_at, hsts, chain, encrypted_key FROM served_certificates WHERE host = ANY ($1)",
        [hosts],
      );
      for (const row of readable(rows, Certificate)) await writeOne(row);
    }
    await onDisk(async () => {
      // A row with an unreadable column still keeps its file.
      for (const host of await files.keepOnly(new Set(rows.map((row) => String(row.host))))) {
        written.delete(host);
        logger.info({ event: "certificate_removed", host }, "removed the copy of a certificate");
      }
      if (hasDiskFailed || isComplete) return;
      await files.markComplete();
      isComplete = true;
    });
  };

  async function writeOne(row: z.output<typeof Certificate>): Promise<void> {
    const { host } = row;
    const pem = pemOf(host, row.chain, row.encrypted_key);
    if (pem === null) return;
    await onDisk(async () => {
      await files.write(host, pem, row.hsts);
      written.set(host, versionOf(row));
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
