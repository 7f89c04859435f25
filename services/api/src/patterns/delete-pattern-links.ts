import type { ClickReader } from "@tapthru/core/clicks/click-reader";
import { hasNoOwnerFields } from "@tapthru/core/links/owner-columns";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import type { RedisBudget } from "@tapthru/core/platform/redis/budget";
import { patternNotFound } from "@tapthru/proto/patterns";
import { sql } from "slonik";
import * as z from "zod/mini";
import { ApiError } from "../http/errors.ts";
import type { ProjectLinks } from "../links/project-links.ts";
import { removeLinks } from "../links/user-links.ts";

/** Deleting a batch takes well under the statement timeout. */
const LINKS_PER_BATCH = 500;
/** Few enough that the visit that deletes them waits no longer than for a creation. */
const UNVISITED_PER_BATCH = 100;

export interface DeleteDependencies {
  db: Db<"any" | "maybeOne" | "query">;
  projectLinks: ProjectLinks;
  clickReader: Pick<ClickReader, "export">;
}

/**
 * Deletes all links of a pattern, in several statements.
 * @returns their number
 * @throws ApiError if the user has no such pattern
 */
export async function deletePatternLinks(
  deps: DeleteDependencies,
  { id, userId }: { id: string; userId: number },
  budget: RedisBudget,
): Promise<number> {
  for (let count = 0; ; ) {
    const ids = await findPatternLinkIds(deps.db, { id, userId, limit: LINKS_PER_BATCH });
    if (ids === null) throw new ApiError(patternNotFound);
    const removed = await removeLinks(deps, { userId, ids }, budget);
    if (removed.length === 0) return count;
    count += removed.length;
  }
}

/**
 * Deletes those of the oldest links of a pattern that no person visited again after the visit that created them. The others
 * are marked, so that the next call looks at further links.
 * @returns whether it deleted any
 */
export async function deleteUnvisitedLinks(
  deps: DeleteDependencies,
  { patternId, userId }: { patternId: string; userId: number },
  budget: RedisBudget,
): Promise<boolean> {
  const { db, clickReader } = deps;
  const oldest = await findOldPatternLinkIds(db, { patternId, limit: UNVISITED_PER_BATCH });
  if (oldest.length === 0) return false;
  const clicks = await clickReader.export(oldest);
  const visits = (id: number) => (clicks.get(id) ?? []).reduce((sum, { counts }) => sum + (counts.person ?? 0), 0);
  const { visited = [], unvisited = [] } = Object.groupBy(oldest, (id) => (visits(id) > 1 ? "visited" : "unvisited"));
  await markVisitedAgain(db, visited);
  const removed = await removeLinks(deps, { userId, ids: unvisited }, budget);
  return removed.length > 0;
}

const LinkIds = z.object({ ids: z.array(z.int()) });

/** Some of the links of a pattern. @returns null if the user has no such pattern */
async function findPatternLinkIds(
  db: Db<"maybeOne">,
  { id, userId, limit }: { id: string; userId: number; limit: number },
): Promise<number[] | null> {
  const row = await db.maybeOne(sql.type(LinkIds)`
    SELECT to_jsonb(ARRAY(
      SELECT link_id FROM pattern_links WHERE pattern_id = pattern.id LIMIT ${limit}
    )) AS ids
    FROM link_patterns pattern WHERE id = ${id} AND user_id = ${userId}
  `);
  return row?.ids ?? null;
}

/**
 * The oldest links of a pattern that may be unvisited: older than a day, so that all clicks are counted, never found to be
 * visited again, and neither changed by their owner nor taken down.
 */
async function findOldPatternLinkIds(
  db: Db<"any">,
  { patternId, limit }: { patternId: string; limit: number },
): Promise<number[]> {
  const rows = await db.any(sql.type(z.object({ id: z.int() }))`
    SELECT link.id FROM pattern_links visited JOIN links link ON link.id = visited.link_id
    WHERE pattern_id = ${patternId} AND NOT was_visited_again
      AND link.created_at < now() - interval '24 hours' AND taken_down_at IS NULL
      AND ${hasNoOwnerFields} AND routing IS NULL
      AND NOT EXISTS (SELECT FROM link_labels WHERE link_labels.link_id = link.id)
      AND NOT EXISTS (SELECT FROM link_codes WHERE link_codes.link_id = link.id)
    ORDER BY link.id LIMIT ${limit}
  `);
  return rows.map((row) => row.id);
}

async function markVisitedAgain(db: Db<"query">, linkIds: readonly number[]) {
  await db.query(sql.type(z.object({}))`
    UPDATE pattern_links SET was_visited_again = true WHERE link_id = ANY(${sql.array(linkIds, "int8")})
  `);
}
