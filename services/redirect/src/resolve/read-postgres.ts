import type { Logger } from "@tapthru/core/platform/logger";
import { PostgresBusyError, PostgresUnavailableError } from "@tapthru/core/platform/postgres/postgres";
import { bestEffort } from "@tapthru/core/platform/redis/errors";
import type { CodeRecord, RedirectStore } from "@tapthru/core/platform/redis/redirect-store";
import { logInvalidRecord } from "@tapthru/core/platform/unreadable";
import { withDeadline } from "@tapthru/core/platform/waiting";
import { OwnerChannel } from "@tapthru/proto/redirect/owner";
import { RedirectRecord } from "@tapthru/proto/redirect/record";
import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";
import { type Lookup, linkFrom } from "../link.ts";
import type { ChangeTail } from "./changes/change-tail.ts";
import type { Memory } from "./memory.ts";

interface Dependencies {
  db: Pick<CommonQueryMethods, "maybeOne">;
  redirectStore: Pick<RedirectStore, "restoreMany">;
  memory: Memory;
  tail: Pick<ChangeTail, "hasCaughtUp" | "pagesRead">;
  /** Time a request may spend on Postgres in total, including the wait for a connection. */
  deadlineMs: number;
  logger: Logger;
}

const Row = z.object({ record: z.unknown(), owner: z.unknown() });

/** A record without what this release cannot read of it. It must not be stored in Redis. */
type PartialRecord = RedirectRecord & { isPartial?: true };

interface Found {
  record: PartialRecord;
  /** That of the link's owner, as of the same time. */
  owner: PartialRecord | null;
}

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
  const found = await readUnchanged(deps, shortCode);
  const record = found?.record ?? null;
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
  const records = [{ shortCode, record }];
  if (record.state === "live" && record.owner !== undefined && found?.owner?.state === "owner") {
    const { owner } = found;
    if (owner.revision >= memory.minimumRevision(record.owner)) memory.put(record.owner, owner, performance.now());
    records.push({ shortCode: record.owner, record: owner });
  }
  void restoreRecords(
    deps,
    records.filter((each) => !("isPartial" in each.record)),
  );
  return link;
}

/** Repeats the query if a change arrived during it, because the result may be stale. */
async function readUnchanged(deps: Dependencies, shortCode: string): Promise<Found | null> {
  for (;;) {
    const minimumBefore = deps.memory.minimumRevision(shortCode);
    const found = await findRecord(deps, shortCode);
    const minimum = deps.memory.minimumRevision(shortCode);
    if (minimum === minimumBefore || (found !== null && found.record.revision >= minimum)) return found;
  }
}

/**
 * The redirect record of a code, which may be a retired one, with that of its owner; null if the code is unknown. A prepared
 * statement, because planning takes Postgres three times as long as the lookup.
 */
async function findRecord({ db, logger }: Dependencies, shortCode: string): Promise<Found | null> {
  const found = await db.maybeOne(sql.prepared("find-redirect-record", Row)`
    SELECT record, owner_record(substr(record ->> 'owner', 2)::integer) AS owner
    FROM redirect_records WHERE short_code = ${shortCode} LIMIT 1
  `);
  const read = (record: unknown) => readRecord(logger, shortCode, record);
  return found && { record: read(found.record), owner: found.owner === null ? null : read(found.owner) };
}

/** Parts that another release may have written in a way that is invalid here. Without them a link opens its own destination. */
const OF_ANY_RELEASE = {
  isRouted: false,
  soldIn: [],
  fallbackUrl: undefined,
  opening: undefined,
  oneLink: [],
  keptTags: undefined,
};

/** Returns the owner's channels that this release can read, so that their links keep their tags. */
function readableChannels({ channels }: { channels?: unknown }) {
  return Object.fromEntries(
    Object.entries(Object(channels)).filter(([, channel]) => z.safeParse(OwnerChannel, channel).success),
  );
}

function readRecord(logger: Logger, shortCode: string, record: unknown): PartialRecord {
  const { data, error } = z.safeParse(RedirectRecord, record);
  if (data) return data;
  logInvalidRecord(logger, "unreadable_row", "postgres", { shortCode }, error.issues);
  const partial = z.safeParse(RedirectRecord, {
    ...Object(record),
    ...OF_ANY_RELEASE,
    channels: readableChannels(Object(record)),
  });
  if (!partial.success) throw new UnreadableRecordError("a redirect record is not valid");
  return { ...partial.data, isPartial: true };
}

async function restoreRecords({ redirectStore, logger }: Dependencies, records: readonly CodeRecord[]): Promise<void> {
  await bestEffort(redirectStore.restoreMany(records)).catch((err) => {
    logger.error({ event: "redirect_record_write_failed", err }, "failed to write redirect record");
  });
}
