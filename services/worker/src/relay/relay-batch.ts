import { bestEffort } from "@tapthru/core/platform/redis/errors";
import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";
import type { App } from "../app.ts";
import { projectRecords } from "./project-records.ts";

export const RELAY_BATCH = 500;

export interface RelayApp extends Pick<App, "db" | "redirectStore" | "logger"> {
  /** Best effort: the sweep finds what was not queued. */
  queuePagesOf(shortCodes: readonly string[]): Promise<void>;
}

/**
 * Writes the links of the oldest outbox rows to the redirect records. It writes the current state of the links, and rows
 * count as projected only after Redis stored it: after a crash they are projected again, and the newest state always
 * wins. When no row is left, Redis is marked as up to date.
 * @returns the number of projected rows; 0 while another relay is active
 */
export async function relayBatch(app: RelayApp): Promise<number> {
  const changes = await app.db.transaction(async (transaction) => {
    if (!(await acquireRelayLock(transaction))) return [];
    const found = await findUnprojected(transaction);
    if (found.length > 0) await project(app, transaction, found);
    if (found.length < RELAY_BATCH) await bestEffort(app.redirectStore.markUpToDate());
    return found;
  });
  if (changes.length > 0) await app.queuePagesOf(codesOf(changes));
  return changes.length;
}

async function project(app: RelayApp, transaction: CommonQueryMethods, changes: readonly Change[]) {
  await projectRecords({ ...app, db: transaction }, codesOf(changes), app.redirectStore.putMany);
  await markProjected(
    transaction,
    changes.map(({ id }) => id),
  );
}

function codesOf(changes: readonly { shortCode: string }[]): string[] {
  return [...new Set(changes.map(({ shortCode }) => shortCode))];
}

/** The advisory lock of the active relay. */
const RELAY_LOCK = 0x7e1a;

/** False while another relay is active; otherwise locks until the end of the transaction. */
function acquireRelayLock(transaction: CommonQueryMethods) {
  return transaction.oneFirst(sql.prepared("take-relay-lock", z.object({ taken: z.boolean() }))`
    SELECT pg_try_advisory_xact_lock(${RELAY_LOCK}) AS taken
  `);
}

const Change = z.object({ id: z.int(), shortCode: z.string() });
type Change = z.infer<typeof Change>;

/** The oldest unprojected rows of the outbox. */
function findUnprojected(db: CommonQueryMethods) {
  return db.any(sql.prepared("find-unprojected", Change)`
    SELECT id, short_code AS "shortCode" FROM link_changes
    WHERE projected_at IS NULL ORDER BY id LIMIT ${RELAY_BATCH}
  `);
}

async function markProjected(db: CommonQueryMethods, ids: readonly number[]): Promise<void> {
  await db.query(sql.prepared("mark-projected", z.object({}))`
    UPDATE link_changes SET projected_at = now() WHERE id = ANY(${sql.array(ids, "int8")})
  `);
}
