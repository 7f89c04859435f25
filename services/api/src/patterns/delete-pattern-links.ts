import type { ClickStore } from "@tapthru/core/clicks/click-store";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import type { RedisBudget } from "@tapthru/core/platform/redis/budget";
import { ApiError } from "../errors.ts";
import type { ProjectLinks } from "../links/project-links.ts";
import { removeLinks } from "../links/user-links.ts";
import { findOldPatternLinkIds, findPatternLinkIds, markVisitedAgain } from "./queries.ts";

/** Deleting a batch takes well under the statement timeout. */
const LINKS_PER_BATCH = 500;
/** Few enough that the visit that deletes them waits no longer than for a creation. */
const UNVISITED_PER_BATCH = 100;

export interface DeleteDependencies {
  db: Db<"any" | "maybeOne" | "query">;
  projectLinks: ProjectLinks;
  clickStore: Pick<ClickStore, "export">;
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
    if (ids === null) throw new ApiError("pattern-not-found");
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
  const { db, clickStore } = deps;
  const oldest = await findOldPatternLinkIds(db, { patternId, limit: UNVISITED_PER_BATCH });
  if (oldest.length === 0) return false;
  const clicks = await clickStore.export(userId, oldest);
  const visits = (id: number) =>
    (clicks.get(id) ?? []).reduce((sum, { counts }) => sum + (counts.person ?? 0), 0);
  const { visited = [], unvisited = [] } = Object.groupBy(oldest, (id) =>
    visits(id) > 1 ? "visited" : "unvisited",
  );
  await markVisitedAgain(db, visited);
  const removed = await removeLinks(deps, { userId, ids: unvisited }, budget);
  return removed.length > 0;
}
