import type { Logger } from "@tapthru/core/platform/logger";
import { PostgresBusyError, PostgresUnavailableError } from "@tapthru/core/platform/postgres/postgres";
import { bestEffort } from "@tapthru/core/platform/redis/errors";
import type { RedirectStore } from "@tapthru/core/platform/redis/redirect-store";
import { reportUnreadable } from "@tapthru/core/platform/unreadable";
import { withDeadline } from "@tapthru/core/platform/waiting";
import { RedirectRecord } from "@tapthru/proto/redirect/record";
import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";
import { type Lookup, linkFrom } from "../link.ts";
import type { ChangeTail } from "./changes/change-tail.ts";
import type { Memory } from "./memory.ts";

interface Dependencies {
  db: Pick<CommonQueryMethods, "maybeOneFirst">;
  redirectStore: Pick<RedirectStore, "restoreMany">;
  memory: Memory;
  tail: Pick<ChangeTail, "hasCaughtUp" | "pagesRead">;
  /** Time a request may spend on Postgres in total, including the wait for a connection. */
  deadlineMs: number;
  logger: Logger;
}

const Row = z.object({ record: z.unknown() });

/** A record without its routing, fallback and opening, one of which this release cannot read. It must not be stored in Redis. */
type PartialRecord = RedirectRecord & { isPartial?: true };

/** A record of which this release cannot read more than that it exists. */
class UnreadableRecordError extends Error {}

/** Reads a link from Postgres into memory. Writes it to Redis in the background. */
export async function readPostgres(deps: Dependencies, shortCode: string): Promise<Lookup> {
  try {
    return await withDeadline(
      read(deps, shortCode),
      deps.deadlineMs,
      () => new PostgresBusyError("Postgres did not look up a short code in time"),
    );
  } catch (err) {
    if (err instanceof PostgresUnavailableError || err instanceof UnreadableRecordError)
      return { state: "unavailable" };
    throw err;
  }
}

async function read(deps: Dependencies, shortCode: string): Promise<Lookup> {
  const { memory, tail, logger } = deps;
  const pagesBefore = tail.pagesRead;
  const record = await readUnchanged(deps, shortCode);
  const link = record === null ? null : linkFrom(record);
  if (record === null || link === null) {
    if (record !== null) {
      logger.error(
        { event: "invalid_link_in_postgres", shortCode },
        "link in Postgres does not lead to an Amazon store",
      );
    }
    // If the tail read a page during the query, it may have passed the row of a link that the query did not see. Before
    // it has caught up, it omits created links.
    const willSeeCreation = tail.hasCaughtUp && tail.pagesRead === pagesBefore;
    if (willSeeCreation) memory.unknownCodes.set(shortCode, true);
    return { state: "unknown" };
  }
  memory.put(shortCode, link, performance.now());
  if (!("isPartial" in record)) void restoreRecord(deps, shortCode, record);
  return link;
}

/** Repeats the query if a change arrived during it, because the result may be stale. */
async function readUnchanged(deps: Dependencies, shortCode: string): Promise<PartialRecord | null> {
  for (;;) {
    const minimumBefore = deps.memory.minimumRevision(shortCode);
    const record = await findRecord(deps, shortCode);
    const minimum = deps.memory.minimumRevision(shortCode);
    if (minimum === minimumBefore || (record !== null && record.revision >= minimum)) return record;
  }
}

/**
 * The redirect record of a code, which may be a retired one; null if the code is unknown. A prepared statement, because
 * planning takes Postgres three times as long as the lookup. If another release wrote one of these that is invalid
 * here, the link opens its own destination for all visitors.
 */
async function findRecord({ db, logger }: Dependencies, shortCode: string): Promise<PartialRecord | null> {
  const found = await db.maybeOneFirst(sql.prepared("find-redirect-record", Row)`
    SELECT record FROM redirect_records WHERE short_code = ${shortCode} LIMIT 1
  `);
  if (found === null) return null;
  const { data, error } = z.safeParse(RedirectRecord, found);
  if (data) return data;
  reportUnreadable(logger, "unreadable_row", "postgres", { shortCode }, error.issues);
  const unread = { routing: null, fallback: null, opening: undefined };
  const partial = z.safeParse(RedirectRecord, { ...found, ...unread });
  if (!partial.success) throw new UnreadableRecordError("a redirect record is not valid");
  return { ...partial.data, isPartial: true };
}

async function restoreRecord(
  { redirectStore, logger }: Dependencies,
  shortCode: string,
  record: RedirectRecord,
): Promise<void> {
  await bestEffort(redirectStore.restoreMany([{ shortCode, record }])).catch((err) => {
    logger.error({ event: "redirect_record_write_failed", err }, "failed to write redirect record");
  });
}
