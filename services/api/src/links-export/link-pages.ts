import type { ClickStore, ExportedClicks } from "@tapthru/core/clicks/click-store";
import type { Logger } from "@tapthru/core/platform/logger";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import type { LinkHistory } from "@tapthru/proto/http/link-history";
import type { LinkConditions } from "../links/link-conditions.ts";
import { linkHistories } from "../links/link-history.ts";
import type { LinkRow } from "../links/link-row.ts";
import { listLinks } from "../links/list-links.ts";

/** A link may have 50 destinations and the clicks of each of its days. */
const LINKS_PER_PAGE = 50;

export interface CompleteLink {
  row: LinkRow;
  clicks: ExportedClicks;
  history: LinkHistory;
}

export interface LinkPagesDependencies {
  db: Db<"any" | "maybeOne">;
  clickStore: Pick<ClickStore, "export">;
  publicBaseUrl: string;
  logger: Logger;
}

/**
 * The user's links with their clicks and history, newest first. Resolves after the first page was read; further pages are read when
 * they are needed.
 */
export async function linkPages(
  deps: LinkPagesDependencies,
  userId: number,
  conditions: LinkConditions = {},
): Promise<AsyncIterable<readonly CompleteLink[]>> {
  const { db, clickStore, publicBaseUrl } = deps;
  const readPage = async (cursor?: { id: number; sortValue: string | null }) => {
    const query = {
      ...conditions,
      userId,
      limit: LINKS_PER_PAGE,
      order: "newest",
      cursor,
    } as const;
    const { links, next } = await listLinks(deps, query);
    const ids = links.map(({ id }) => id);
    const [clicks, histories] = await Promise.all([
      clickStore.export(userId, ids),
      linkHistories(db, ids, publicBaseUrl),
    ]);
    const complete = links.map((row) => ({
      row,
      clicks: clicks.get(row.id) ?? [],
      history: histories.get(row.id) ?? { destinations: [], shortCodes: [] },
    }));
    return { links: complete, next };
  };
  const firstPage = await readPage();
  return (async function* () {
    let page = firstPage;
    yield page.links;
    while (page.next) {
      page = await readPage(page.next);
      yield page.links;
    }
  })();
}
