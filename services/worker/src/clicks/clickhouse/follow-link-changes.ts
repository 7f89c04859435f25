import type { ClickHouse } from "@tapthru/core/platform/clickhouse/clickhouse";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { findLinkChanges, type LinkChange, markFollowed } from "./link-queries.ts";

/** In one query, whose parameters are in its URL. */
const CHANGES = 500;

const TABLES = [
  { name: "clicks", key: "key, slot" },
  { name: "click_visitors", key: "value" },
];

/**
 * Brings the clicks of deleted links to zero, and moves those of claimed links to their owner. The worker holds the lock
 * of clicks, and read the owners of the last batches before: their rows exist, whichever owner they have.
 */
export async function followLinkChanges(
  db: Db<"any" | "query">,
  clickHouse: Pick<ClickHouse, "command">,
): Promise<void> {
  const changes = await findLinkChanges(db, CHANGES);
  if (changes.length === 0) return;
  for (const table of TABLES) await moveRows(clickHouse, table, latest(changes));
  await markFollowed(
    db,
    changes.map(({ id }) => id),
  );
}

/** The last change of each link; its clicks may be with any of the earlier owners. */
function latest(changes: readonly LinkChange[]): { from: number[]; link: number; to: number | null }[] {
  return [...Map.groupBy(changes, ({ linkId }) => linkId)].map(([link, own]) => ({
    from: [...new Set([0, ...own.map(({ fromUserId }) => fromUserId)])],
    link,
    to: own.at(-1)?.toUserId ?? null,
  }));
}

/** Repeated, it moves nothing: the sums are zero. */
async function moveRows(
  clickHouse: Pick<ClickHouse, "command">,
  { name, key }: (typeof TABLES)[number],
  changes: ReturnType<typeof latest>,
): Promise<void> {
  const pairs = changes.flatMap(({ from, link, to }) =>
    from.filter((user) => user !== to).map((user) => ({ user, link })),
  );
  await clickHouse.command(
    `INSERT INTO ${name} (user_id, day, link_id, ${key}, count)
     SELECT moved.1, day, link_id, ${key}, moved.2
     FROM (
       SELECT user_id, day, link_id, ${key}, sum(count) AS total FROM ${name}
       WHERE (user_id, link_id) IN arrayZip({users:Array(UInt64)}, {links:Array(UInt64)})
       GROUP BY user_id, day, link_id, ${key} HAVING total != 0
     )
     ARRAY JOIN if(
       has({claimed:Array(UInt64)}, link_id),
       [(user_id, -total), ({owners:Array(UInt64)}[indexOf({claimed:Array(UInt64)}, link_id)], total)],
       [(user_id, -total)]
     ) AS moved`,
    {
      users: pairs.map(({ user }) => user),
      links: pairs.map(({ link }) => link),
      claimed: changes.filter(({ to }) => to !== null).map(({ link }) => link),
      owners: changes.filter(({ to }) => to !== null).map(({ to }) => to),
    },
  );
}
