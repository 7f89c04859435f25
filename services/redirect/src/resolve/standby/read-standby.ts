import type { Logger } from "@tapthru/core/platform/logger";
import { PostgresBusyError, PostgresUnavailableError } from "@tapthru/core/platform/postgres/postgres";
import { withDeadline } from "@tapthru/core/platform/waiting";
import type { RedirectRecord } from "@tapthru/proto/redirect/record";
import type { Memory } from "../cache/memory.ts";
import { UnreadableRecordError } from "../queries.ts";
import type { Standby } from "./standby.ts";

interface Dependencies {
  standby: Pick<Standby, "isUsed">;
  findRedirectRecord(shortCode: string): Promise<RedirectRecord | null>;
  memory: Pick<Memory, "links" | "revisionFloor">;
  /** Leaves time for the primary. */
  deadlineMs: number;
  logger: Logger;
}

/**
 * The record of a code in the standby. Null if the primary decides: the standby is not used or fails, does not have the
 * code, or has an older revision than the newest known one.
 */
export async function readStandby(
  { standby, findRedirectRecord, memory, deadlineMs, logger }: Dependencies,
  shortCode: string,
): Promise<RedirectRecord | null> {
  if (!standby.isUsed) return null;
  try {
    const record = await withDeadline(
      findRedirectRecord(shortCode),
      deadlineMs,
      () => new PostgresBusyError("the standby did not look up a short code in time"),
    );
    const { links, revisionFloor } = memory;
    const known = Math.max(revisionFloor.get(shortCode), links.revisionOf(shortCode));
    return record !== null && record.revision >= known ? record : null;
  } catch (err) {
    if (!(err instanceof PostgresUnavailableError || err instanceof UnreadableRecordError))
      logger.error({ event: "standby_read_failed", err }, "failed to read a link from the standby");
    return null;
  }
}
