import type { REPORT_STATES } from "@tapthru/proto/http/operator/reports";
import { recordAction } from "@tapthru/runtime/audit-log";
import type { Db } from "@tapthru/runtime/postgres/postgres";
import { sql } from "slonik";
import * as z from "zod/mini";

const Count = z.object({ count: z.int() });

/**
 * Decides about links and their reports. The redirects see it in the outbox within a second.
 * @param decision null: the link works, and its reports are open
 * @returns how many links were taken down, or work again
 */
export function decideAboutLinks(
  db: Db<"oneFirst">,
  ids: readonly number[],
  decision: "taken-down" | "dismissed" | null,
): Promise<number> {
  return db.oneFirst(sql.type(Count)`
    SELECT decide_about_links(${sql.array([...ids], "int8")}, ${decision}) AS count
  `);
}

/** Records a decision that changes reports, but not the link. */
export async function recordDecision(
  db: Db<"query">,
  link: { id: number; shortCode: string; state: string },
  state: (typeof REPORT_STATES)[number],
): Promise<void> {
  await recordAction(db, {
    action: "report.decided",
    objectId: String(link.id),
    object: link.shortCode,
    ownerId: null,
    before: { state: link.state },
    after: { state },
  });
}

export function ownerOf({
  ownerId,
  ownerName,
}: {
  ownerId: number | null;
  ownerName: string | null;
}): { id: number; username: string } | null {
  return ownerId === null || ownerName === null ? null : { id: ownerId, username: ownerName };
}
