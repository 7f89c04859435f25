import type { Component } from "@tapthru/core/platform/lifecycle";
import { PostgresUnavailableError } from "@tapthru/core/platform/postgres/postgres";
import { bestEffort } from "@tapthru/core/platform/redis/errors";
import { RedisUnavailableError } from "@tapthru/core/platform/redis/redis";
import { pause } from "@tapthru/core/platform/waiting";
import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";
import type { App } from "../app.ts";
import { type BulkUpdateApp, findPendingKinds, makeBulkUpdate } from "./bulk-updates.ts";
import { projectRecords } from "./project-records.ts";

/** How often the outbox is read. Changes within this time are projected together. */
const ROUND_MS = 200;
const RETRY_MS = 5_000;

/** Empties the outbox, and makes bulk updates. While it finds a full batch of rows it reads again at once. */
export function createRelay(app: RelayApp & BulkUpdateApp): Component {
  const stopping = new AbortController();
  let running = Promise.resolve();

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const projected = await relayBatch(app).catch(logFailure);
      // First it empties the outbox: changes of many links add rows to it, behind which others would wait.
      if (projected === RELAY_BATCH) continue;
      await updateLinks();
      await pause(projected === null ? RETRY_MS : ROUND_MS, stopping.signal);
    }
  }

  /** Apart from the projection and from each other: a failure of one does not delay the others. */
  async function updateLinks(): Promise<void> {
    for (const kind of (await findPendingKinds(app).catch(logFailure)) ?? []) {
      await makeBulkUpdate(app, kind, stopping.signal).catch(logFailure);
    }
  }

  /** The client of an unavailable dependency logs that. */
  function logFailure(err: unknown): null {
    const isUnavailable = err instanceof RedisUnavailableError || err instanceof PostgresUnavailableError;
    if (!isUnavailable) app.logger.error({ event: "outbox_relay_failed", err }, "outbox relay failed");
    return null;
  }

  return {
    name: "relay",
    async start() {
      running = run();
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

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
    if (found.length > 0) {
      await projectRecords({ ...app, db: transaction }, codesOf(found), app.redirectStore.putMany);
      await markProjected(transaction, found);
    }
    if (found.length < RELAY_BATCH) await bestEffort(app.redirectStore.markUpToDate());
    return found;
  });
  if (changes.length > 0) await app.queuePagesOf(codesOf(changes));
  return changes.length;
}

const codesOf = (changes: readonly Change[]) => [...new Set(changes.map(({ shortCode }) => shortCode))];

const RELAY_LOCK = 0x7e1a;

/** False while another relay is active; otherwise locks until the end of the transaction. */
function acquireRelayLock(transaction: CommonQueryMethods) {
  return transaction.oneFirst(sql.prepared("take-relay-lock", z.object({ taken: z.boolean() }))`
    SELECT pg_try_advisory_xact_lock(${RELAY_LOCK}) AS taken
  `);
}

const Change = z.object({ id: z.int(), shortCode: z.string() });
type Change = z.infer<typeof Change>;

function findUnprojected(db: CommonQueryMethods) {
  return db.any(sql.prepared("find-unprojected", Change)`
    SELECT id, short_code AS "shortCode" FROM link_changes
    WHERE projected_at IS NULL ORDER BY id LIMIT ${RELAY_BATCH}
  `);
}

async function markProjected(db: CommonQueryMethods, changes: readonly Change[]): Promise<void> {
  const ids = changes.map(({ id }) => id);
  await db.query(sql.prepared("mark-projected", z.object({}))`
    UPDATE link_changes SET projected_at = now() WHERE id = ANY(${sql.array(ids, "int8")})
  `);
}
