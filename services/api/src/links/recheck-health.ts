import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { sql } from "slonik";
import * as z from "zod/mini";
import type { QueuePageRead, ReadRequester } from "../metadata/queue-read.ts";
import { getLink } from "./user-links.ts";

interface Dependencies {
  db: Db<"any" | "maybeOne">;
  queueRead: QueuePageRead;
}

/**
 * Has the worker read the page of a link before its turn.
 * @returns false if the link has no page, or it was read within the last minute
 * @throws ApiError if the user has no such link
 */
export async function recheckHealth(
  { db, queueRead }: Dependencies,
  link: { userId: number; shortCode: string },
  requester: ReadRequester,
): Promise<boolean> {
  const { id } = await getLink(db, link);
  const page = await makeDue(db, id);
  if (page === null) return false;
  await queueRead(page, requester);
  return true;
}

const DuePage = z.object({ canonicalUrl: z.string(), attempt: z.int() });

/** Null without a page, and if it was read within the last minute. */
function makeDue(db: Db<"maybeOne">, linkId: number) {
  return db.maybeOne(sql.type(DuePage)`
    UPDATE products SET next_attempt_at = now()
    FROM links
    WHERE links.id = ${linkId} AND products.canonical_url = links.canonical_url
      AND links.taken_down_at IS NULL
      AND (attempted_at IS NULL OR attempted_at < now() - interval '1 minute')
    RETURNING products.canonical_url AS "canonicalUrl", attempts AS attempt
  `);
}
