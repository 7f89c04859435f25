import type { Logger } from "@tapthru/core/platform/logger";
import { PostgresBusyError, PostgresUnavailableError } from "@tapthru/core/platform/postgres/postgres";
import { bestEffort } from "@tapthru/core/platform/redis/errors";
import type { RedirectStore } from "@tapthru/core/platform/redis/redirect-store";
import { withDeadline } from "@tapthru/core/platform/waiting";
import type { RedirectRecord } from "@tapthru/proto/redirect/record";
import { type Lookup, linkFrom } from "../link.ts";
import type { Memory } from "./cache/memory.ts";
import type { ChangeTail } from "./changes/change-tail.ts";
import { UnreadableRecordError } from "./queries.ts";

interface Dependencies {
  findRedirectRecord(shortCode: string): Promise<RedirectRecord | null>;
  redirectStore: Pick<RedirectStore, "restoreMany">;
  memory: Memory;
  tail: Pick<ChangeTail, "hasCaughtUp" | "pagesRead">;
  /** Time a request may spend on Postgres in total, including the wait for a connection. */
  deadlineMs: number;
  logger: Logger;
}

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
  memory.links.put(shortCode, link, performance.now());
  if (!("isPartial" in record)) void restoreRecord(deps, shortCode, record);
  return link;
}

/** Repeats the query if a change arrived during it, because the result may be stale. */
async function readUnchanged(
  { findRedirectRecord, memory: { revisionFloor } }: Dependencies,
  shortCode: string,
): Promise<RedirectRecord | null> {
  for (;;) {
    const minimumBefore = revisionFloor.get(shortCode);
    const record = await findRedirectRecord(shortCode);
    const minimum = revisionFloor.get(shortCode);
    if (minimum === minimumBefore || (record !== null && record.revision >= minimum)) return record;
  }
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
