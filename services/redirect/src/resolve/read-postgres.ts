import type { RedirectRecord } from "@tapthru/proto/redirect/record";
import { withDeadline } from "@tapthru/runtime/deadline";
import type { Logger } from "@tapthru/runtime/logger";
import { PostgresBusyError, PostgresUnavailableError } from "@tapthru/runtime/postgres/postgres";
import type { RedirectStore } from "@tapthru/runtime/redis/redirect-store";
import { RedisUnavailableError } from "@tapthru/runtime/redis/redis";
import { type Lookup, linkFrom } from "../link.ts";
import type { ChangeTail } from "./change-tail.ts";
import type { Memory } from "./memory.ts";

interface Needs {
  findRedirectRecord(shortCode: string): Promise<RedirectRecord | null>;
  redirectStore: Pick<RedirectStore, "restoreMany">;
  memory: Memory;
  tail: Pick<ChangeTail, "hasCaughtUp" | "pagesRead">;
  /** The whole of a request's time for Postgres, waiting for a connection included. */
  deadlineMs: number;
  logger: Logger;
}

/** Reads a link from Postgres into memory and, without waiting for it, into Redis. */
export async function readPostgres(needs: Needs, shortCode: string): Promise<Lookup> {
  try {
    return await withDeadline(read(needs, shortCode), needs.deadlineMs, tooLate);
  } catch (err) {
    if (!(err instanceof PostgresUnavailableError)) throw err;
    return { state: "unavailable" };
  }
}

async function read(needs: Needs, shortCode: string): Promise<Lookup> {
  const { memory, tail, logger } = needs;
  const pagesBefore = tail.pagesRead;
  const record = await readUnchanged(needs, shortCode);
  const link = record === null ? null : linkFrom(record);
  if (record === null || link === null) {
    if (record !== null) {
      logger.error(
        { event: "invalid_link_in_postgres", shortCode },
        "link in Postgres does not lead to an Amazon store",
      );
    }
    // The tail may have passed the row of a link that was made while Postgres answered, and passes
    // those of all that are made before it has caught up.
    const willBeTold = tail.hasCaughtUp && tail.pagesRead === pagesBefore;
    if (willBeTold) memory.unknownCodes.set(shortCode, true);
    return { state: "unknown" };
  }
  memory.links.put(shortCode, link, performance.now());
  void putBack(needs, shortCode, record);
  return link;
}

/** Asks again when a change was heard of meanwhile: the answer may be from before. */
async function readUnchanged(
  { findRedirectRecord, memory: { floors } }: Needs,
  shortCode: string,
): Promise<RedirectRecord | null> {
  for (;;) {
    const floorBefore = floors.of(shortCode);
    const record = await findRedirectRecord(shortCode);
    const floor = floors.of(shortCode);
    if (floor === floorBefore || (record !== null && record.revision >= floor)) return record;
  }
}

async function putBack(
  { redirectStore, logger }: Needs,
  shortCode: string,
  record: RedirectRecord,
): Promise<void> {
  try {
    await redirectStore.restoreMany([{ shortCode, record }]);
  } catch (err) {
    if (!(err instanceof RedisUnavailableError))
      logger.error(
        { event: "redirect_record_write_failed", err },
        "failed to write redirect record",
      );
  }
}

function tooLate(): PostgresUnavailableError {
  return new PostgresBusyError("Postgres had no time for a short code");
}
