import type { Logger } from "@tapthru/core/platform/logger";
import { reportUnreadable } from "@tapthru/core/platform/unreadable";
import { RedirectRecord } from "@tapthru/proto/redirect/record";
import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";

const Row = z.object({ record: z.unknown() });

/** A record without its routing, fallback and experiments, one of which this release cannot read. It must not be stored in Redis. */
type PartialRecord = RedirectRecord & { isPartial?: true };

/** A record of which this release cannot read more than that it exists. */
export class UnreadableRecordError extends Error {}

/**
 * The redirect record of a code, which may be a retired one; null if the code is unknown. A prepared statement, because
 * planning takes Postgres three times as long as the lookup. If another release wrote one of these that is invalid
 * here, the link opens its own destination for all visitors.
 */
export async function findRedirectRecord(
  { db, logger }: { db: Pick<CommonQueryMethods, "maybeOneFirst">; logger: Logger },
  shortCode: string,
): Promise<PartialRecord | null> {
  const found = await db.maybeOneFirst(sql.prepared("find-redirect-record", Row)`
    SELECT record FROM redirect_records WHERE short_code = ${shortCode} LIMIT 1
  `);
  if (found === null) return null;
  const { data, error } = z.safeParse(RedirectRecord, found);
  if (data) return data;
  reportUnreadable(logger, "unreadable_row", "postgres", { shortCode }, error.issues);
  const partial = z.safeParse(RedirectRecord, { ...found, routing: null, fallback: null, experiments: [] });
  if (!partial.success) throw new UnreadableRecordError("a redirect record is not valid");
  return { ...partial.data, isPartial: true };
}
