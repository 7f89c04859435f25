import { redirectFile } from "@tapthru/core/links/redirect-file";
import { attemptItem } from "@tapthru/core/platform/failed-items";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { SafeFetchError } from "@tapthru/core/platform/safe-fetch/errors";
import { BackupTarget } from "@tapthru/proto/domains";
import { AwsV4Signer } from "aws4fetch";
import { sql } from "slonik";
import * as z from "zod/mini";
import type { App, Job } from "../app.ts";

/** Files that are made and sent at once. */
const BATCH = 4;
/** In memory, because a store must know the length. The pages of 100,000 links have a tenth of it. */
const FILE_MAX_BYTES = 32 * 1_024 * 1_024;

/** Sends the files of domains that are due. One that fails is due again a day later, like the others. */
export const backUpLinks: Job<"db" | "logger" | "putFile" | "webhookSecrets"> = async (app, _payload, { signal }) => {
  const { webhookSecrets, ...deps } = app;
  if (webhookSecrets === null) return;
  const loop = { ...deps, kind: "back-up-links", signal };
  for (let due = await claimDue(app.db); due.length > 0 && !signal.aborted; due = await claimDue(app.db)) {
    const send = async (backup: Backup) => {
      const target = BackupTarget.parse(JSON.parse(webhookSecrets.open(backup.sealed, backup.userId)));
      await storeResult(app.db, backup.id, await sendFile(app, backup, target, signal));
    };
    await Promise.all(due.map((backup) => attemptItem(loop, backup.id, () => send(backup))));
  }
};

/** @returns what failed, or null */
async function sendFile(
  { db, putFile }: Pick<App, "db" | "putFile">,
  source: Backup,
  { url, ...key }: z.infer<typeof BackupTarget>,
  deadline: AbortSignal,
): Promise<string | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of await redirectFile(db, source, "html")) {
    bytes += chunks[chunks.push(chunk) - 1]?.length ?? 0;
    if (bytes > FILE_MAX_BYTES) return "The file is too large.";
  }
  let headers: Record<string, string> = { "content-type": "application/gzip" };
  if (key.accessKeyId !== "") {
    const { headers: signed } = await new AwsV4Signer({ ...key, method: "PUT", url, headers, service: "s3" }).sign();
    headers = Object.fromEntries(signed);
  }
  try {
    const status = await putFile({ url, method: "PUT", headers, body: Buffer.concat(chunks), deadline });
    return status < 300 ? null : `The address responded with status ${status}.`;
  } catch (error) {
    if (error instanceof SafeFetchError && !deadline.aborted) return error.message;
    throw error;
  }
}

const Backup = z.object({
  id: z.int(),
  userId: z.int(),
  host: z.string(),
  sealed: z.string(),
});
type Backup = z.infer<typeof Backup>;

function claimDue(db: Db<"any">) {
  return db.any(sql.type(Backup)`
    UPDATE domains SET backup_due_at = now() + interval '1 day' WHERE id IN (
      SELECT id FROM domains WHERE backup_due_at <= now()
        AND EXISTS (SELECT FROM users WHERE users.id = user_id AND state = 'enabled')
      ORDER BY backup_due_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
    )
    RETURNING id, user_id AS "userId", host, sealed_backup AS sealed
  `);
}

async function storeResult(db: Db<"query">, id: number, error: string | null): Promise<void> {
  await db.query(sql.type(z.object({}))`
    UPDATE domains SET backup_error = ${error}, backed_up_at = CASE WHEN ${error === null} THEN now() ELSE backed_up_at END
    WHERE id = ${id}
  `);
}
